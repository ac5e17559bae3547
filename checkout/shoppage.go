package checkout

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/plaintext"
	"daftar/internal/web"
	"daftar/ledger"
)

// ShopPrefix begins the addresses of shop pages.
const ShopPrefix = "/shop/"

const (
	// How many intents a network may create on shop pages: shopBurst at once, then one every ten
	// seconds; a wider network web.Allowances times as many.
	shopBurst     = 10
	shopPerSecond = 0.1
	// shopExpiry is how long such an intent can be paid: the customer is there.
	shopExpiry = time.Hour
	// shopReference begins the merchant references of these intents.
	shopReference = "shop-"
)

// formNumber is the form of rand.Text. Other numbers are not taken: they could make the reference of
// an intent that the merchant's server has created, whose page is not for others.
var formNumber = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// ShopPage lets anyone pay a shop the amount that they type, or the fixed one.
type ShopPage struct {
	Order  Order
	Fixed  bool   // the amount is the order's
	Action string // where the form goes; the language is added
	Number string // of the form: sent twice, it creates one intent
	Typed  string // the amount as it was typed

	Problem ShopProblem
}

// ShopProblem is why a shop page created no intent.
type ShopProblem uint8

// The problems.
const (
	ShopFine ShopProblem = iota
	AmountMissing
	AmountMalformed // or beyond the limits of a payment
	AmountNotTaken  // by any method of the shop
	ShopLimited     // too many from the payer's network
)

func (s ShopPage) frame(t *texts) frame {
	f := frame{template: "shop-page", title: t.ShopPage.Title, order: s.Order}
	if text := t.ShopPage.Problems[s.Problem]; text != "" {
		f.problems = []problem{{"amount", text}}
	}
	return f
}

// front finds the shop page of a request; ledger.ErrNotFound if it takes no payments.
func (c *Checkout) front(ctx context.Context, r *http.Request) (settings.Front, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	f, err := c.settings.Front(ctx, mux.Vars(r)["name"])
	if errors.Is(err, accounts.ErrNotFound) || err == nil && !f.Open() {
		return f, ledger.ErrNotFound
	}
	return f, err
}

// shopPage is the page of a front, with a new form.
func (c *Checkout) shopPage(f settings.Front, l locale.Lang) ShopPage {
	return ShopPage{
		Order: Order{
			Merchant: f.Name, Mode: f.Mode, Description: f.Page.Descriptions.In(l),
			Amount: domain.Money{Minor: f.Page.Fixed, Currency: domain.LYD}, Brand: BrandOf(f.Shop, c.publicURL),
		},
		Fixed:  f.Page.Fixed > 0,
		Action: ShopPrefix + f.Page.Name,
		Number: rand.Text(),
	}
}

// showShop answers GET of a shop page.
func (c *Checkout) showShop(w http.ResponseWriter, r *http.Request) error {
	f, err := c.front(r.Context(), r)
	if err != nil {
		return err
	}
	page := c.shopPage(f, locale.LangFrom(r))
	c.renderPage(w, r, http.StatusOK, Page{State: page, Address: page.Action})
	return nil
}

// payShop answers POST of a shop page: it creates the intent, and leads to its checkout.
func (c *Checkout) payShop(w http.ResponseWriter, r *http.Request) error {
	f, err := c.front(r.Context(), r)
	if err != nil {
		return err
	}
	fields := postedFields(w, r)
	page := c.shopPage(f, locale.LangFrom(r))
	if number := fields.Get("form"); formNumber.MatchString(number) {
		page.Number = number
	}
	status := http.StatusUnprocessableEntity
	if err := c.readShop(r.Context(), &page, f, fields.Get("amount")); err != nil {
		return err
	}
	if page.Problem == ShopFine {
		wait := c.shopLimits.Take(web.ClientAddress(r))
		if wait == 0 {
			return c.createShop(w, r, f, page)
		}
		page.Problem, status = ShopLimited, http.StatusTooManyRequests
		w.Header().Set("Retry-After", web.RetryAfter(wait))
	}
	c.renderPage(w, r, status, Page{State: page, Address: page.Action})
	return nil
}

// parseAmount reads an amount as a customer types it.
func parseAmount(typed string) (domain.Money, ShopProblem) {
	if typed == "" {
		return domain.Money{}, AmountMissing
	}
	amount, err := domain.ParseMoney(plaintext.LatinFigures(typed), domain.LYD)
	if err != nil || amount.Minor < domain.MinAmount || amount.Minor > domain.MaxAmount {
		return domain.Money{}, AmountMalformed
	}
	return amount, ShopFine
}

// readShop reads the amount, which must be one that the shop can be paid now.
func (c *Checkout) readShop(ctx context.Context, page *ShopPage, f settings.Front, typed string) error {
	amount := page.Order.Amount
	if !page.Fixed {
		page.Typed = strings.TrimSpace(typed)
		if amount, page.Problem = parseAmount(page.Typed); page.Problem != ShopFine {
			return nil
		}
	}
	// The limits of the methods are the merchant's: an intent that nobody can pay helps no one.
	terms := domain.Terms{Application: f.ID, Amount: amount}
	options, err := c.engine.Options(ctx, domain.Intent{Terms: terms}, f.Mode)
	if page.Order.Amount = amount; len(options) == 0 {
		page.Problem = AmountNotTaken
	}
	return err
}

// createShop creates the intent of a form, or finds it, and redirects to its checkout. The amount is
// a part of the reference, since a payer may go back and type another one.
func (c *Checkout) createShop(w http.ResponseWriter, r *http.Request, f settings.Front, page ShopPage) error {
	o, lang := page.Order, locale.LangFrom(r)
	expires := c.ledger.Now().Add(shopExpiry)
	i, _, err := c.ledger.Create(r.Context(), domain.Create{
		Terms: domain.Terms{
			Application: f.ID,
			MerchantReference: domain.MerchantReference(shopReference + strings.ToLower(page.Number) + "-" +
				strconv.FormatInt(o.Amount.Minor, 10)),
			Amount:      o.Amount,
			Description: cmp.Or(strings.TrimSpace(o.Description), o.in(lang).Merchant),
		},
		ExpiresAt: &expires,
	}, f.Namespace, ledger.Origin{Actor: "payer", RequestID: web.RequestID(r.Context())})
	if err != nil {
		return err
	}
	to := i.CheckoutPath
	if i.Status == domain.StatusCanceled {
		to = page.Action // a form that was kept for longer than the intent
	}
	w.Header().Set("Location", locale.WithLang(to, lang))
	w.WriteHeader(http.StatusSeeOther)
	return nil
}
