package dashboard

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/checkout"
	"daftar/dashboard/view"
	"daftar/internal/logo"
	"daftar/internal/web"
)

const (
	inBrand = "/applications/{application}/brand"
	// maxBrandForm is far above logo.MaxBytes, so that a file that is too large gets a page
	// that says so, and not a broken connection.
	maxBrandForm  = 16 << 20
	decodedInAll  = 2 // logos at a time, because each takes a lot of memory
	decodedOfEach = 1 // of one organisation
)

var _ = declare(
	get(inBrand, member(accounts.ChangeCredentials), (*Dashboard).showBrand).fresh(),
	post(inBrand, member(accounts.ChangeCredentials), (*Dashboard).setBrand).fresh().upTo(maxBrandForm),
	get(inBrand+"/preview", member(accounts.SeeCredentials), (*Dashboard).previewBrand),
)

func (req *request) brandPath() string { return req.applicationPath() + "/brand" }

// shop is the application of the path, which belongs to the organisation, as customers see it.
func (d *Dashboard) shop(req *request) (settings.Shop, error) {
	c, err := d.credentials(req)
	if err != nil {
		return settings.Shop{}, err
	}
	return d.config.Settings.Shop(req.ctx, c.ID)
}

func (d *Dashboard) showBrand(req *request) error {
	s, err := d.shop(req)
	if err != nil {
		return err
	}
	req.w.Header().Set("Content-Security-Policy", web.FramingPolicy)
	return req.show(view.SectionApplications, view.NewBrandPage(s, req.brandPath()))
}

// setBrand stores the brand in the form. The uploaded file itself is not stored, only pictures
// that are redrawn from it.
func (d *Dashboard) setBrand(req *request) error {
	s, err := d.shop(req)
	if err != nil {
		return err
	}
	page := view.NewBrandPage(s, req.brandPath())
	var file []byte
	end, wrong, err := d.upload(req, slotLimit+requestLimit,
		func(slot bool) (wrong view.FormErrors, err error) {
			file, wrong = readBrandForm(req.r, &page.Form, slot)
			return wrong, nil
		})
	defer end()
	if err != nil {
		return err
	}
	if len(wrong) == 0 {
		var pictures *logo.Pictures
		pictures, wrong = d.readLogo(req, file, page.Form.Remove != "")
		var brand settings.Brand
		if brand, wrong = page.Form.Read(wrong); len(wrong) == 0 {
			err := d.config.Settings.SetBrand(req.ctx, req.by, req.organization.ID, req.application, brand, pictures)
			return req.doneUnless(err, req.brandPath(), "brand-set")
		}
	}
	page.FormErrors, page.LogoLost = wrong, len(file) > 0
	req.w.Header().Set("Content-Security-Policy", web.FramingPolicy)
	return req.show(view.SectionApplications, page)
}

// readLogo makes the pictures of a file. With nil pictures the present logo stays.
func (d *Dashboard) readLogo(req *request, file []byte, remove bool) (*logo.Pictures, view.FormErrors) {
	switch {
	case len(file) == 0 && !remove:
		return nil, nil
	case len(file) == 0:
		return &logo.Pictures{}, nil
	case len(file) > logo.MaxBytes:
		return nil, view.HeavyLogo
	}
	release, free := d.decoding.take(req.ctx, req.organization.ID)
	if !free {
		return nil, view.BusyServer("logo")
	}
	defer release()
	pictures, err := logo.Read(file)
	switch {
	case errors.Is(err, logo.ErrLarge):
		return nil, view.LargeLogo
	case errors.Is(err, logo.ErrSmall):
		return nil, view.SmallLogo
	case errors.Is(err, logo.ErrBlank):
		return nil, view.BlankLogo
	case errors.Is(err, logo.ErrScans):
		return nil, view.ManyScansLogo
	case err != nil:
		return nil, view.UnreadableLogo
	}
	return &pictures, nil
}

// readBrandForm reads the fields, and the file if there is a slot for it. Of a file that is too
// large it returns one byte more than allowed.
func readBrandForm(r *http.Request, into *view.BrandForm, slot bool) (file []byte, wrong view.FormErrors) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, view.BrokenBrandForm
	}
	*into = view.BrandForm{}
	fields := into.Fields()
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return file, wrong
		}
		switch {
		case err != nil:
		case part.FileName() == "":
			err = readField(part, fields)
		case slot:
			file, err = io.ReadAll(io.LimitReader(part, logo.MaxBytes+1))
		default:
			wrong = view.BusyUploads("logo")
		}
		if err == nil {
			_, err = io.Copy(io.Discard, part)
		}
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return file, view.HeavyLogo
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return file, view.SlowUpload("logo")
		}
		if err != nil {
			return file, view.BrokenBrandForm
		}
	}
}

// readField reads a part of a form into the field of its name.
func readField(part *multipart.Part, fields map[string]*string) error {
	value, err := io.ReadAll(io.LimitReader(part, maxForm))
	if field, known := fields[part.FormName()]; err == nil && known {
		*field = strings.TrimSpace(strings.ToValidUTF8(string(value), ""))
	}
	return err
}

// previewBrand shows the payment page as customers see it, with made-up data.
func (d *Dashboard) previewBrand(req *request) error {
	s, err := d.shop(req)
	if err != nil {
		return err
	}
	page := checkout.Sample(s, d.publicURL, d.config.Now())
	page.Lang, page.Address, page.Sandbox = req.lang, req.brandPath()+"/preview", req.sandbox()
	text, err := page.Render()
	if err != nil {
		return err
	}
	req.w.Header().Set("Content-Security-Policy", web.FramedPolicy)
	return req.send(http.StatusOK, req.lang, text)
}
