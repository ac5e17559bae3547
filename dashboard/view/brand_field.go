package view

import (
	"strings"

	"daftar/accounts/settings"
)

// brandField is the data of the template of a field.
type brandField struct {
	rendering

	Name, Label, Hint, Value string
	Type, Dir, Lang          string
	Most                     int
	Text                     bool // words, not a number or an address
}

// BrandField is the field of that name.
func (r rendering) BrandField(name, label, hint, value string) brandField {
	f := brandField{
		rendering: r,
		Name:      name,
		Label:     label,
		Hint:      hint,
		Value:     value,
		Type:      "text",
		Dir:       "ltr",
		Most:      40,
	}
	switch name {
	case "name_ar":
		f.Text, f.Dir, f.Lang, f.Most = true, "rtl", "ar", settings.MaxBrandName
	case "name_en":
		f.Text, f.Dir, f.Lang, f.Most = true, "ltr", "en", settings.MaxBrandName
	case "address":
		f.Text, f.Dir, f.Most = true, "auto", settings.MaxBrandAddress
	case "phone", "whatsapp":
		f.Type = "tel"
	case "website":
		f.Type, f.Most = "url", 500
	}
	return f
}

// DescribedBy are the ids of the field's hints and error.
func (f brandField) DescribedBy(wrong string) string {
	var ids []string
	if f.Lang != "" {
		ids = append(ids, "names-hint")
	}
	if f.Hint != "" {
		ids = append(ids, f.Name+"-hint")
	}
	if wrong != "" {
		ids = append(ids, f.Name+"-wrong")
	}
	return strings.Join(ids, " ")
}
