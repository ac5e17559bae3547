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

// Brand has a merchant's theme, and the ways in which its customers can reach it. The zero value
// is for a merchant of whom only the name is known.
type Brand struct {
	Names locale.Text // a language without a name uses Order.Merchant
	Sheet string      // address of the style sheet with its theme; empty: the default one
	Logo  bool        // the style sheet has one
	Icon  template.URL
	Share string // absolute address of the picture that messengers show; empty: none

	Phone, WhatsApp string // as locale.ParsePhone gives them
	Website         string // an http or https address
	Address         string
}

// BrandOf is the brand of a shop. The style sheet has an address below AssetPrefix, so that
// a server that does not know it answers with the default one.
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

// sheets caches style sheets by their addresses: a style sheet changes only together with its
// address.
type sheets struct {
	mu    sync.Mutex
	known map[string]layout.File
}

// maxSheets bounds the cache, at some 80 kB for each style sheet.
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

// serveSheet answers GET of the style sheet with an application's theme. The address of another
// version gets the present one, for a page that was made before the theme changed. Where it cannot
// be made the answer is the default one, so that every page has a style.
func (c *Checkout) serveSheet(w http.ResponseWriter, r *http.Request) {
	if f, known := c.sheets.find(r.URL.Path); known {
		f.ServeVersion(true, w, r)
		return
	}
	f, path, err := c.sheet(r)
	if err != nil {
		if !errors.Is(err, accounts.ErrNotFound) { // anyone can request an unknown shop
			c.log.Warn().Err(err).Str("request_id", web.RequestID(r.Context())).
				Msg("style sheet without the shop's look")
		}
		layout.AssetHandler().ServeHTTP(w, r)
		return
	}
	if path == r.URL.Path {
		c.sheets.keep(path, f)
	}
	f.ServeVersion(path == r.URL.Path, w, r)
}

// sheet makes the style sheet for a request, and returns its present path.
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

// in is the order with the merchant's name in that language.
func (o Order) in(l locale.Lang) Order {
	if name := o.Brand.Names.In(l); name != "" {
		o.Merchant = name
	}
	return o
}

// openGraph is the preview of a page of the order in messengers. It is the same in every state, and
// has no amount: the link may be sent to a group.
func (o Order) openGraph(description string) *layout.OpenGraph {
	if o.Merchant == "" {
		return nil
	}
	return &layout.OpenGraph{Title: o.Merchant, Description: description, Picture: o.Brand.Share}
}

// Reachable reports whether the merchant named a way to be reached.
func (b Brand) Reachable() bool { return b.Phone+b.WhatsApp+b.Website+b.Address != "" }

// CallURL is the tel: address of the number; html/template would replace its scheme.
func (b Brand) CallURL() template.URL { return template.URL("tel:" + b.Phone) } //nolint:gosec // digits

// Host is the website's host, without www., for people to read.
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

// WhatsAppURL opens a message to the merchant that names the payment, if there is one yet.
func (r rendering) WhatsAppURL() template.URL {
	text := r.T.Shop.Message + " " + r.Order.Reference.Capitals()
	if r.Order.Reference == "" {
		text = r.T.Shop.Greeting
	}
	return layout.WhatsAppURL(r.Order.Brand.WhatsApp, text)
}

// Sample is the payment page of a shop with made-up data, for a preview in a frame.
func Sample(s settings.Shop, publicURL string, now time.Time) Page {
	return Page{Still: true, State: Pay{
		Order: Order{
			Merchant:    s.Name,
			Description: "#1042",
			Amount:      domain.Money{Minor: 45_750, Currency: domain.LYD},
			Reference:   "7k3qx0m2td",
			Brand:       BrandOf(s, publicURL),
		},
		Deadline: now.Add(domain.DefaultExpiry),
		Offers:   []Offer{{Method: "adfali", Needs: []acquirer.Field{acquirer.Phone}}, {Method: "cards"}},
		Action:   "#",
	}}
}

// SecurePath is the path of the page that explains the service to customers.
const SecurePath = "/pay/secure"

// explain answers GET of that page.
func (c *Checkout) explain(w http.ResponseWriter, r *http.Request) error {
	c.renderPage(w, r, http.StatusOK, Page{State: Secure{Service: c.publicURL}, Address: SecurePath})
	return nil
}
