package checkout

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/mux"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/internal/logo"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments/acquirer"
)

// Brand is how the merchant of a page looks, and where its customers find help. The zero value
// is a merchant of whom nothing but the name is known.
type Brand struct {
	Names locale.Text // in a language without one, it is Order.Merchant
	Sheet string      // address of the style sheet with its theme; empty: ours
	Logo  bool        // the style sheet has one
	Icon  template.URL
	Share string // absolute address of the picture that messengers show; empty: none

	Phone, WhatsApp string // as locale.ParsePhone gives them
	Website         string // an http or https address
	Address         string
}

// BrandOf is how customers see a shop. The style sheet has an address below AssetPrefix, so that
// a server that does not know it answers with ours.
func BrandOf(s settings.Shop, publicURL string) Brand {
	b := Brand{
		Names: s.Brand.Names, Phone: s.Brand.Phone, WhatsApp: s.Brand.WhatsApp, Website: s.Brand.Website,
		Address: s.Brand.Address,
	}
	if s.Brand.Accent != "" || s.Brand.Logo != "" {
		b.Sheet = themePath(s.ID, layout.ThemeVersion(s.Brand.Accent, s.Brand.Logo), sheetExtension)
	}
	if s.Brand.Logo != "" {
		b.Logo, b.Icon = true, layout.DataURL(s.Brand.Icon)
		b.Share = strings.TrimSuffix(publicURL, "/") + themePath(s.ID, s.Brand.Logo, pictureExtension)
	}
	return b
}

const (
	themePrefix      = layout.AssetPrefix + "shop."
	themeRoute       = themePrefix + "{application:[0-9a-f-]{36}}.{version:[0-9a-f]+}"
	sheetExtension   = ".css"
	pictureExtension = ".picture"
)

func themePath(of domain.ApplicationID, version, extension string) string {
	return themePrefix + of.String() + "." + version + extension
}

// sheets are style sheets that were asked for lately, by their addresses: one changes only with
// its address.
type sheets struct {
	mu    sync.Mutex
	known map[string]layout.File
}

// maxSheets bounds them, at some 80 kB each.
const maxSheets = 64

func (s *sheets) find(path string) (layout.File, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, found := s.known[path]
	return f, found
}

func (s *sheets) keep(path string, f layout.File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= maxSheets {
		s.known = make(map[string]layout.File)
	}
	s.known[path] = f
}

// serveSheet answers GET of the style sheet with an application's theme: that of now also under
// the address of another version, for a page that was made before it changed. Where it cannot
// be made the answer is ours: nobody should pay on a page without style.
func (c *Checkout) serveSheet(w http.ResponseWriter, r *http.Request) {
	if f, known := c.sheets.find(r.URL.Path); known {
		f.ServeVersion(true, w, r)
		return
	}
	f, path, err := c.sheet(r)
	if err != nil {
		if !errors.Is(err, accounts.ErrNotFound) { // anybody can ask for what is not there
			c.log.Warn().Err(err).Str("request_id",
				web.RequestID(r.Context())).Msg("style sheet without the shop's look")
		}
		layout.AssetHandler().ServeHTTP(w, r)
		return
	}
	if path == r.URL.Path {
		c.sheets.keep(path, f)
	}
	f.ServeVersion(path == r.URL.Path, w, r)
}

// sheet makes the style sheet that a request asks for, and says what its address is.
func (c *Checkout) sheet(r *http.Request) (layout.File, string, error) {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	s, err := c.shopOf(ctx, r)
	if err != nil {
		return layout.File{}, "", err
	}
	theme := layout.Theme{Accent: s.Brand.Accent}
	if s.Brand.Logo != "" {
		if theme.Logo, err = c.settings.LogoMark(ctx, s.ID); err != nil {
			return layout.File{}, "", err
		}
		theme.LogoWidth = logo.Width(theme.Logo)
	}
	return theme.Sheet(), themePath(s.ID, layout.ThemeVersion(s.Brand.Accent, s.Brand.Logo), sheetExtension), nil
}

// serveShare answers GET of the picture that messengers show.
func (c *Checkout) serveShare(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), readLimit)
	defer cancel()
	s, err := c.shopOf(ctx, r)
	var picture []byte
	if err == nil {
		picture, err = c.settings.LogoShare(ctx, s.ID)
	}
	if errors.Is(err, accounts.ErrNotFound) {
		return ledger.ErrNotFound
	}
	if err != nil {
		return err
	}
	share := layout.NewFile(http.DetectContentType(picture), picture)
	share.ServeVersion(mux.Vars(r)["version"] == s.Brand.Logo, w, r)
	return nil
}

func (c *Checkout) shopOf(ctx context.Context, r *http.Request) (settings.Shop, error) {
	id, err := uuid.Parse(mux.Vars(r)["application"])
	if err != nil {
		return settings.Shop{}, accounts.ErrNoApplication
	}
	return c.settings.Shop(ctx, domain.ApplicationID(id))
}

// in is the order as a page in that language says it.
func (o Order) in(l locale.Lang) Order {
	if name := o.Brand.Names.In(l); name != "" {
		o.Merchant = name
	}
	return o
}

// openGraph is what messengers show of a page of the order. It is the same in every state, and
// has no amount: the link may be sent to a group.
func (o Order) openGraph(description string) *layout.OpenGraph {
	if o.Merchant == "" {
		return nil
	}
	return &layout.OpenGraph{Title: o.Merchant, Description: description, Picture: o.Brand.Share}
}

// Reachable says that the merchant named a way to be reached.
func (b Brand) Reachable() bool { return b.Phone+b.WhatsApp+b.Website+b.Address != "" }

// CallURL has the number called; a template would not let the scheme through.
func (b Brand) CallURL() template.URL { return template.URL("tel:" + b.Phone) } //nolint:gosec // digits

// Host is where the website is, for people to read.
func (b Brand) Host() string {
	u, err := url.Parse(b.Website)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Host, "www.")
}

// Number is a telephone number as it is written in Libya, in one piece.
func (Brand) Number(number string) string {
	return strings.ReplaceAll(locale.PhoneText(number), " ", "\u00a0")
}

// WhatsAppURL opens a message to the merchant that names the payment.
func (r rendering) WhatsAppURL() template.URL {
	text := r.T.Shop.Message + " " + r.Order.Reference.Capitals()
	return template.URL("https://wa.me/" + strings.TrimPrefix(r.Order.Brand.WhatsApp,
		"+") + "?text=" + url.PathEscape(text)) //nolint:gosec // digits, and escaped
}

// Sample is the payment page of a shop with made-up data: to look at, in a frame.
func Sample(s settings.Shop, publicURL string, now time.Time) Page {
	return Page{Still: true, State: Pay{
		Order: Order{
			Merchant: s.Name, Description: "#1042", Amount: domain.Money{Minor: 45_750, Currency: domain.LYD},
			Reference: "7k3qx0m2td",
			Brand:     BrandOf(s, publicURL),
		},
		Deadline: now.Add(domain.DefaultExpiry),
		Offers:   []Offer{{Method: "adfali", Needs: []acquirer.Field{acquirer.Phone}}, {Method: "cards"}},
		Action:   "#",
	}}
}

// SecurePath is where a page explains the service to customers.
const SecurePath = "/pay/secure"

// explain answers GET of that page.
func (c *Checkout) explain(w http.ResponseWriter, r *http.Request) error {
	c.renderPage(w, r, http.StatusOK, Page{State: Secure{Service: c.publicURL}, Address: SecurePath})
	return nil
}
