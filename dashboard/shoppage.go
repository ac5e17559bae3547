package dashboard

import (
	"errors"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/checkout"
	"daftar/dashboard/view"
	"daftar/internal/layout"
)

const inShopPage = "/applications/{application}/shop"

var _ = declare(
	get(inShopPage, member(accounts.ChangeCredentials),
		loaded(view.SectionApplications, (*Dashboard).shopPage)).fresh(),
	post(inShopPage, member(accounts.ChangeCredentials), (*Dashboard).setShopPage).fresh(),
	get(inShopPage+"/poster", member(accounts.SeeCredentials),
		loaded(view.SectionApplications, (*Dashboard).shopPoster)),
)

func (req *request) shopPagePath() string { return req.applicationPath() + "/shop" }

// shopPage is the form with the present shop page of the application.
func (d *Dashboard) shopPage(req *request) (view.ShopPage, error) {
	c, err := d.credentials(req)
	if err != nil {
		return view.ShopPage{}, err
	}
	page, err := d.config.Settings.ShopPage(req.ctx, c.ID)
	return view.NewShopPage(c.Application, page, req.shopPagePath(), d.publicURL+checkout.ShopPrefix), err
}

// setShopPage makes the shop page, or changes it.
func (d *Dashboard) setShopPage(req *request) error {
	p, err := d.shopPage(req)
	if err != nil {
		return err
	}
	p.Form = view.ShopForm{
		Name: req.field("name"), DescriptionArabic: req.field("description_ar"),
		DescriptionEnglish: req.field("description_en"), Amount: req.field("amount"), Enabled: req.field("enabled"),
	}
	page, wrong := p.Form.Read(p.Page.Name)
	if p.FormErrors = wrong; len(wrong) == 0 {
		err = d.config.Settings.SetShopPage(req.ctx, req.by, req.organization.ID, req.application, page)
		if !errors.Is(err, settings.ErrShopPageTaken) {
			return req.doneUnless(err, req.shopPagePath(), "shop-page-set")
		}
		p.FormErrors = view.ShopPageTaken
	}
	return req.show(view.SectionApplications, p)
}

// shopPoster is the shop page's QR code, to be printed.
func (d *Dashboard) shopPoster(req *request) (view.ShopPoster, error) {
	p, err := d.shopPage(req)
	if err != nil {
		return view.ShopPoster{}, err
	}
	if p.Page.Name == "" {
		return view.ShopPoster{}, errNoPage
	}
	shop, err := d.config.Settings.Shop(req.ctx, req.application)
	if err != nil {
		return view.ShopPoster{}, err
	}
	poster := view.ShopPoster{ShopPage: p, Names: shop.Brand.Names}
	poster.QR, err = layout.QR(p.URL(), view.ShopPageLabel(req.lang))
	return poster, err
}
