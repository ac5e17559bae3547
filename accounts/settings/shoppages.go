package settings

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/postgres"
)

// ActionSetShopPage makes the shop page of an application, or changes it.
const ActionSetShopPage accounts.Action = "application.set_shop_page"

// Errors about shop pages.
var (
	ErrNoShopPage    error = accounts.NotFound("there is no such shop page")
	ErrShopPageTaken       = fmt.Errorf("%w: another shop page has that name", accounts.ErrInvalid)
)

// ShopPage is the page of an application on which anyone can pay it. Its name is in the address,
// and printed: it is chosen once, and belongs to the application for ever.
type ShopPage struct {
	Name         string
	Descriptions locale.Text
	Fixed        int64 // the amount in dirhams; 0: customers type it
	Enabled      bool
	Changed      time.Time // zero: there is no page yet
}

var shopPageColumns = postgres.Columns[ShopPage]{
	postgres.Of("name", func(p *ShopPage) any { return (*zeronull.Text)(&p.Name) }),
	postgres.Of("description_ar", func(p *ShopPage) any { return &p.Descriptions.Arabic }),
	postgres.Of("description_en", func(p *ShopPage) any { return &p.Descriptions.English }),
	postgres.Of("fixed_minor", func(p *ShopPage) any { return (*zeronull.Int8)(&p.Fixed) }),
	postgres.Of("enabled", func(p *ShopPage) any { return &p.Enabled }),
	postgres.Of("changed_at", func(p *ShopPage) any { return (*zeronull.Timestamptz)(&p.Changed) }),
}

// Front is a shop page as customers find it.
type Front struct {
	Shop
	Page      ShopPage
	Namespace domain.Namespace
}

// Open reports whether the page takes payments now.
func (f Front) Open() bool { return f.Page.Enabled && f.Active && f.CheckoutsStoppedAt == nil }

var (
	findFrontSQL = `
SELECT ` + shopPageColumns.List("p.") + `, a.namespace, a.uuid
FROM shop_pages p
     JOIN applications a ON a.uuid = p.application_uuid
WHERE p.name = $1`
	findShopPageSQL = `
SELECT ` + shopPageColumns.List("") + `
FROM shop_pages
WHERE application_uuid = $1`
)

// Front finds the shop page with a name. The error is ErrNoShopPage where there is none.
func (s *Settings) Front(ctx context.Context, name string) (f Front, err error) {
	if !shopPageName.MatchString(name) {
		return f, ErrNoShopPage
	}
	var id domain.ApplicationID
	f, err = postgres.Find(ctx, s.pool, "find shop page", ErrNoShopPage,
		func(row pgx.CollectableRow) (found Front, err error) {
			return found, row.Scan(shopPageColumns.Fields(&found.Page, &found.Namespace, &id)...)
		}, findFrontSQL, name)
	if err == nil {
		f.Shop, err = s.Shop(ctx, id)
	}
	return f, err
}

// ShopPage is the shop page of an application; the zero ShopPage if it has none.
func (s *Settings) ShopPage(ctx context.Context, of domain.ApplicationID) (ShopPage, error) {
	return postgres.Find(ctx, s.pool, "find shop page", nil, shopPageColumns.Scan, findShopPageSQL, of)
}

// The name of a page that is there stays.
const setShopPageSQL = `
INSERT INTO shop_pages AS p (application_uuid, name, description_ar, description_en, fixed_minor, enabled,
    changed_at)
SELECT uuid, $3, $4, $5, $6, $7, $8
FROM applications
WHERE uuid = $1
  AND organization_uuid = $2
ON CONFLICT (application_uuid) DO UPDATE
SET description_ar = $4, description_en = $5, fixed_minor = $6, enabled = $7, changed_at = $8
RETURNING (SELECT name FROM applications WHERE uuid = $1)`

// SetShopPage makes the shop page of an application, or changes it, but for its name. It needs
// ChangeCredentials; its errors are ErrInvalid, ErrShopPageTaken, ErrNoApplication and those of Do.
func (s *Settings) SetShopPage(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, p ShopPage,
) error {
	if err := p.check(); err != nil {
		return err
	}
	detail := map[string]any{
		"page": p.Name, "description_ar": p.Descriptions.Arabic, "description_en": p.Descriptions.English,
		"enabled": p.Enabled,
	}
	if p.Fixed > 0 {
		detail["amount"] = domain.Money{Minor: p.Fixed, Currency: domain.LYD}.String()
	}
	err := s.accounts.ChangeApplication(ctx, by, of, app, ActionSetShopPage, accounts.ErrNoApplication,
		detail, setShopPageSQL, p.Name, p.Descriptions.Arabic, p.Descriptions.English, zeronull.Int8(p.Fixed),
		p.Enabled, s.now())
	if postgres.ConstraintName(err) == "shop_pages_name_key" {
		return ErrShopPageTaken
	}
	return err
}

// MaxShopDescription is the limit of a description, in code points.
const MaxShopDescription = 200

var (
	shopPageName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$`)
	// Phones make links of texts such as shop.ly, and payers follow them: they could lead to
	// another page that asks for a code.
	webAddress = regexp.MustCompile(`(?i)://|@|[a-z0-9-]\.[a-z]{2,}`)
	// Names that could pass for the service, for its pages or for a bank.
	reservedNames = []string{
		"admin", "administrator", "aman", "api", "app", "bank", "central-bank", "cbl", "check", "checkout",
		"daftar", "dashboard", "demo", "docs", "edfali", "gov", "government", "help", "jumhouria", "libyana",
		"login", "lypay", "moamalat", "new", "nab", "official", "pay", "payment", "payments", "plutu", "receipt",
		"refund", "sadad", "secure", "shop", "sign-in", "support", "test", "tlync", "wahda", "www",
	}
)

// CheckShopPageName is ErrInvalid for a name that SetShopPage would refuse.
func CheckShopPageName(name string) error {
	if !shopPageName.MatchString(name) || slices.Contains(reservedNames, name) {
		return fmt.Errorf("%w: the name has 3 to 40 letters, digits and hyphens, and is not reserved",
			accounts.ErrInvalid)
	}
	return nil
}

// CheckShopDescription is ErrInvalid for a description that SetShopPage would refuse: one that is too
// long, of several lines, or with an address.
func CheckShopDescription(text string) error {
	if webAddress.MatchString(text) || utf8.RuneCountInString(text) > MaxShopDescription {
		return fmt.Errorf("%w: a description has at most %d characters, and no address",
			accounts.ErrInvalid, MaxShopDescription)
	}
	return accounts.CheckText("description", text)
}

func (p ShopPage) check() error {
	if err := CheckShopPageName(p.Name); err != nil {
		return err
	}
	for _, text := range []string{p.Descriptions.Arabic, p.Descriptions.English} {
		if err := CheckShopDescription(text); err != nil {
			return err
		}
	}
	if p.Fixed != 0 && (p.Fixed < domain.MinAmount || p.Fixed > domain.MaxAmount) {
		return fmt.Errorf("%w: no payment has that amount", accounts.ErrInvalid)
	}
	return nil
}
