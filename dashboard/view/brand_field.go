package view

import (
	"strings"

	"daftar/accounts/settings"
)

// brandField is a field of the form as its template sees it.
type brandField struct {
	rendering

	Name, Label, Hint, Value string
	Type, Dir, Lang          string
	Most                     int
	Text                     bool // words, in whichever direction
}

// BrandField is the field of that name.
func (r rendering) BrandField(name, label, hint, value string) brandField {
	f := brandField{rendering: r, Name: name, Label: label, Hint: hint, Value: value, Type: "text",
		Dir: "ltr", Most: 40}
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

// DescribedBy are the ids of what is said about the field.
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
