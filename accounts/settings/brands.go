package settings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/internal/logo"
	"daftar/internal/postgres"
)

// ActionSetBrand changes how an application's pages look.
const ActionSetBrand accounts.Action = "application.set_brand"

// ErrNoLogo says that an application has no logo.
var ErrNoLogo error = accounts.NotFound("the application has no logo")

// Brand is how an application's pages look to customers, and how they reach the merchant. With
// the zero value, pages have the application's name alone.
type Brand struct {
	Names    locale.Text // a language without one shows the application's name
	Accent   string      // a colour, #0b5d57; empty: the service's
	Phone    string      // in the form of locale.ParsePhone, like WhatsApp
	WhatsApp string
	Website  string
	Address  string    // of the shop, one line
	Logo     string    // a hash of the pictures; empty: there are none
	Icon     []byte    // for the browser's tab
	Changed  time.Time // zero: never
}

var brandColumns = postgres.Columns[Brand]{
	postgres.Of("name_ar", func(b *Brand) any { return (*zeronull.Text)(&b.Names.Arabic) }),
	postgres.Of("name_en", func(b *Brand) any { return (*zeronull.Text)(&b.Names.English) }),
	postgres.Of("accent", func(b *Brand) any { return (*zeronull.Text)(&b.Accent) }),
	postgres.Of("phone", func(b *Brand) any { return (*zeronull.Text)(&b.Phone) }),
	postgres.Of("whatsapp", func(b *Brand) any { return (*zeronull.Text)(&b.WhatsApp) }),
	postgres.Of("website", func(b *Brand) any { return (*zeronull.Text)(&b.Website) }),
	postgres.Of("address", func(b *Brand) any { return (*zeronull.Text)(&b.Address) }),
	postgres.Of("logo", func(b *Brand) any { return (*zeronull.Text)(&b.Logo) }),
	postgres.Of("icon", func(b *Brand) any { return &b.Icon }),
	postgres.Of("changed_at", func(b *Brand) any { return (*zeronull.Timestamptz)(&b.Changed) }),
}

// Shop is an application as its customers see it.
type Shop struct {
	accounts.Application
	Brand Brand
}

// Every page of the checkout runs it. The lateral subquery leaves the planner only the plan by
// the primary key.
var findShopSQL = `
SELECT ` + accounts.ApplicationColumns.List("a.") + `, ` + brandColumns.List("b.") + `
FROM applications a
     LEFT JOIN LATERAL (
         SELECT ` + brandColumns.List("") + `
         FROM brands
         WHERE application_uuid = a.uuid
         OFFSET 0
     ) b ON true
WHERE a.uuid = $1`

// Shop finds an application of any organisation with its brand, as Application does.
func (s *Settings) Shop(ctx context.Context, id domain.ApplicationID) (Shop, error) {
	return postgres.Find(ctx, s.pool, "find shop", accounts.ErrNoApplication,
		func(row pgx.CollectableRow) (Shop, error) {
			var found Shop
			err := row.Scan(append(accounts.ApplicationColumns.Fields(&found.Application),
				brandColumns.Fields(&found.Brand)...)...)
			return found, err
		}, findShopSQL, id)
}

const (
	findMarkSQL = `
SELECT mark
FROM brands
WHERE application_uuid = $1
  AND mark IS NOT NULL`
	findShareSQL = `
SELECT share
FROM brands
WHERE application_uuid = $1
  AND share IS NOT NULL`
)

// LogoMark is the logo for pages. The error is ErrNoLogo.
func (s *Settings) LogoMark(ctx context.Context, of domain.ApplicationID) ([]byte, error) {
	return postgres.Find(ctx, s.pool, "find logo", ErrNoLogo, pgx.RowTo[[]byte], findMarkSQL, of)
}

// LogoShare is the logo for previews of links in messages. The error is ErrNoLogo.
func (s *Settings) LogoShare(ctx context.Context, of domain.ApplicationID) ([]byte, error) {
	return postgres.Find(ctx, s.pool, "find logo", ErrNoLogo, pgx.RowTo[[]byte], findShareSQL, of)
}

// Null pictures keep the logo; an empty sum removes it.
const setBrandSQL = `
INSERT INTO brands AS b (application_uuid, name_ar, name_en, accent, phone, whatsapp, website, address,
    logo, mark, icon, share, changed_at)
SELECT uuid, $3, $4, $5, $6, $7, $8, $9,
       coalesce($10::text, ''), $11::bytea, $12::bytea, $13::bytea, $14
FROM applications
WHERE uuid = $1
  AND organization_uuid = $2
ON CONFLICT (application_uuid) DO UPDATE
SET name_ar = $3, name_en = $4, accent = $5, phone = $6, whatsapp = $7,
    website = $8, address = $9, changed_at = $14,
    logo = coalesce($10, b.logo), mark = CASE WHEN $10 IS NULL THEN b.mark ELSE $11 END,
    icon = CASE WHEN $10 IS NULL THEN b.icon ELSE $12 END,
    share = CASE WHEN $10 IS NULL THEN b.share ELSE $13 END
RETURNING (SELECT name FROM applications WHERE uuid = $1)`

// SetBrand changes the brand of an application; it ignores Logo, Icon and Changed of b. pictures
// are the new logo: empty ones remove it, and nil keeps the present one. It needs
// ChangeCredentials; its errors are ErrInvalid, ErrNoApplication and those of Do.
func (s *Settings) SetBrand(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, b Brand, pictures *logo.Pictures,
) error {
	if err := b.check(); err != nil {
		return err
	}
	detail := map[string]any{
		"name_ar": b.Names.Arabic, "name_en": b.Names.English, "accent": b.Accent,
		"phone": b.Phone, "whatsapp": b.WhatsApp, "website": b.Website, "address": b.Address,
	}
	var sum *string
	var kept logo.Pictures
	if pictures != nil {
		kept, sum = *pictures, new(sumOf(*pictures))
		detail["logo"] = *sum
	}
	return s.accounts.ChangeApplication(ctx, by, of, app, ActionSetBrand, accounts.ErrNoApplication,
		detail, setBrandSQL, b.Names.Arabic, b.Names.English, b.Accent, b.Phone, b.WhatsApp,
		b.Website, b.Address, sum, kept.Mark, kept.Icon, kept.Share, s.now())
}

// sumOf is a hash of the pictures; empty where there are none.
func sumOf(p logo.Pictures) string {
	if p.Mark == nil {
		return ""
	}
	h := sha256.New()
	for _, picture := range [][]byte{p.Mark, p.Icon, p.Share} {
		fmt.Fprintf(h, "%d ", len(picture))
		h.Write(picture)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Limits of a brand's texts, in code points.
const (
	MaxBrandName    = 80 // a page has one or two lines for it
	MaxBrandAddress = 200
	maxWebsite      = 500 // bytes
)

func (b Brand) check() error {
	texts := map[string]string{
		"Arabic name": b.Names.Arabic, "English name": b.Names.English, "address": b.Address,
	}
	for what, text := range texts {
		most := MaxBrandName
		if what == "address" {
			most = MaxBrandAddress
		}
		if n := len([]rune(text)); n > most {
			return fmt.Errorf("%w: the %s has %d characters; at most %d fit",
				accounts.ErrInvalid, what, n, most)
		}
		if err := accounts.CheckText(what, text); err != nil {
			return err
		}
	}
	if accent, is := layout.ParseColour(b.Accent); b.Accent != "" && (!is || accent.String() != b.Accent) {
		return fmt.Errorf("%w: the accent is no colour such as #0b5d57", accounts.ErrInvalid)
	}
	for _, number := range []string{b.Phone, b.WhatsApp} {
		if parsed, is := locale.ParsePhone(number); number != "" && (!is || parsed != number) {
			return fmt.Errorf("%w: a telephone number is not in its international form", accounts.ErrInvalid)
		}
	}
	if b.Website != "" {
		return CheckWebsite(b.Website)
	}
	return nil
}

// CheckWebsite is ErrInvalid for an address that SetBrand would refuse: it must be absolute, http
// or https, without credentials.
func CheckWebsite(address string) error {
	if err := accounts.CheckText("website", address); err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err != nil || len(address) > maxWebsite || u.Scheme != "http" && u.Scheme != "https" ||
		u.Hostname() == "" || u.User != nil {
		return fmt.Errorf("%w: the website is no http or https address of at most %d bytes without credentials",
			accounts.ErrInvalid, maxWebsite)
	}
	return nil
}
