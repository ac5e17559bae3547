package receiptpicture_test

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daftar/checkout/receiptpicture"
)

var update = flag.Bool("update", false, "write the pictures in testdata")

const checkURL = "https://pay.example/receipt/0b7e6c1e-9a52-5d0f-8a3e-1f2e3d4c5b6a/mZ3tYw8k0QJ5c1nBv7xHdA"

func arabic(shop, description string) receiptpicture.Receipt {
	return receiptpicture.Receipt{
		RTL: true, Shop: shop, Title: "تم الدفع", Amount: "1,234.500\u00a0د.ل",
		Words: "ألف ومئتان وأربعة وثلاثون دينارًا وخمسمئة درهم",
		Rows: []receiptpicture.Row{
			{Label: "المرجع", Value: "7K3QX0M2TD"}, {Label: "الوصف", Value: description},
			{Label: "الوقت", Value: "20 نوفمبر 2026، 22:41\u00a0بتوقيت ليبيا"},
			{Label: "الوسيلة", Value: "المحفظة الإلكترونية"},
		},
		CheckURL: checkURL, Check: "امسح الرمز لتتحقق من صحة الإيصال", Host: "pay.example",
	}
}

func english(shop, description string) receiptpicture.Receipt {
	return receiptpicture.Receipt{
		Test: "Test mode: no real money moves", Shop: shop, Title: "Paid after the deadline", Warning: true,
		Amount: "888,888.888\u00a0LYD",
		Words: "Eight hundred eighty-eight thousand eight hundred eighty-eight dinars and eight hundred " +
			"eighty-eight dirhams",
		Rows: []receiptpicture.Row{
			{Label: "Reference", Value: "7K3QX0M2TD"}, {Label: "For", Value: description},
			{Label: "Time", Value: "20 November 2026, 22:41\u00a0(Libya’s\u00a0time)"},
			{Label: "Paid with", Value: "Phone wallet"},
		},
		CheckURL: checkURL + "?lang=en", Check: "Scan the code to check that this receipt is genuine",
		Host: "pay.example",
	}
}

const (
	longShop = "شركة الميدان الكبرى لاستيراد وتوزيع آلات القهوة ولوازم المقاهي والفنادق" +
		" Maydan Trading & Hospitality"
	longText = "Order-1042/ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ آلة قهوة مع مطحنة"
)

func draw(t testing.TB, r receiptpicture.Receipt) *image.Paletted {
	t.Helper()
	file, err := receiptpicture.Draw(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(file) > 60_000 {
		t.Errorf("the picture has %d bytes", len(file))
	}
	return decode(t, file)
}

func decode(t testing.TB, file []byte) *image.Paletted {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	p, is := m.(*image.Paletted)
	if !is {
		t.Fatalf("the picture is a %T", m)
	}
	return p
}

// Pictures look like those that people have looked at; -update accepts new ones. Pixels are
// compared, and not bytes, because processors round the edges of letters differently.
func TestPicturesLookAsAccepted(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]receiptpicture.Receipt{
		"arabic":  arabic("مقهى الميدان", "طلب رقم 1042: آلة قهوة"),
		"long":    arabic(longShop, longText),
		"mixed":   arabic("🌹 Maydan (الميدان) — فرع 2 𝓢𝓱𝓸𝓹", "مُحَمَّدٌ ﷲ لا إله 東京"),
		"english": english("Maydan Coffee", "طلب رقم 1042: آلة قهوة (2 kg)"),
	} {
		path := filepath.Join("testdata", name+".png")
		if *update {
			file, err := receiptpicture.Draw(r)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := differing(decode(t, file), draw(t, r)); n > 20 {
			t.Errorf("%s: %d pixels differ from %s", name, n, path)
		}
	}
}

// differing counts the pixels of two pictures that differ by more than a rounded edge; for pictures
// of two sizes it is all.
func differing(a, b *image.Paletted) (n int) {
	if a.Rect != b.Rect {
		return len(a.Pix)
	}
	for at := range a.Pix {
		if a.Pix[at] == b.Pix[at] {
			continue
		}
		one, _, _, _ := a.Palette[a.Pix[at]].RGBA()
		other, _, _, _ := b.Palette[b.Pix[at]].RGBA()
		if max(one, other)-min(one, other) > 0x4000 {
			n++
		}
	}
	return n
}

// Everything that a receipt says is drawn: without it the picture is another one.
func TestEverythingIsDrawn(t *testing.T) {
	t.Parallel()
	whole := english("Maydan Coffee", "Order 1042")
	for name, without := range map[string]func(*receiptpicture.Receipt){
		"test":        func(r *receiptpicture.Receipt) { r.Test = "" },
		"shop":        func(r *receiptpicture.Receipt) { r.Shop = "" },
		"title":       func(r *receiptpicture.Receipt) { r.Title = "" },
		"warning":     func(r *receiptpicture.Receipt) { r.Warning = false },
		"amount":      func(r *receiptpicture.Receipt) { r.Amount = "" },
		"words":       func(r *receiptpicture.Receipt) { r.Words = "" },
		"description": func(r *receiptpicture.Receipt) { r.Rows[1].Value = "" },
		"time":        func(r *receiptpicture.Receipt) { r.Rows[2].Value = "" },
		"address":     func(r *receiptpicture.Receipt) { r.CheckURL = "https://pay.example/" },
		"check":       func(r *receiptpicture.Receipt) { r.Check = "" },
		"host":        func(r *receiptpicture.Receipt) { r.Host = "" },
	} {
		less := english("Maydan Coffee", "Order 1042")
		without(&less)
		if n := differing(draw(t, whole), draw(t, less)); n < 200 {
			t.Errorf("without the %s only %d pixels differ", name, n)
		}
	}
}

// Letters of other forms are drawn as the plain ones, controls and ornaments not at all, and a
// number stands on the left of the Arabic before it.
func TestAnyTextIsDrawn(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, as string }{
		{"Maydan Coffee\n\t ", "Maydan Coffee "},
		{"\u202eMaydan\u202c \u2066Coffee\u2069\x00\ufeff", "Maydan Coffee"},
		{"𝓜𝓪𝔂𝓭𝓪𝓷 ☕️Coffee👨‍👩‍👧", "Maydan Coffee"},
		{"ﻣﻘﻬﻰ", "مقهى"},
		{"Cafe\u0301", "Café"},
		{"م" + strings.Repeat("\u064f", 50), "م" + strings.Repeat("\u064f", 3)},
		{"Z\u0489\u0337\u0321", "Z"},
		{"東", "\ufffd"},
		{"🌹", "\ufffd"},
		{strings.Repeat("Maydan ", 50), strings.Repeat("Maydan ", 5000)},
	} {
		if differing(draw(t, arabic(row.text, row.text)), draw(t, arabic(row.as, row.as))) != 0 {
			t.Errorf("%q is not drawn as %q", row.text, row.as)
		}
	}
}

// The same receipt has the same bytes, also while others are drawn.
func TestPicturesAreDeterministic(t *testing.T) {
	t.Parallel()
	want, err := receiptpicture.Draw(arabic(longShop, longText))
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan []byte)
	for range 4 {
		go func() {
			file, _ := receiptpicture.Draw(arabic(longShop, longText))
			got <- file
		}()
	}
	for range 4 {
		if !bytes.Equal(<-got, want) {
			t.Error("the same receipt has other bytes")
		}
	}
}

// The largest picture: all lines of the merchant's texts are full of letters that do not repeat.
func TestLargestPictureIsSmall(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for n := range rune(40) {
		many.WriteString(string([]rune{'ؤ' + n%30, ' ', 'W' + n%30, 'À' + n}))
	}
	r := english(many.String(), many.String())
	r.CheckURL = strings.Replace(r.CheckURL, "pay", "payments.a-bank-with-a-long-name", 1)
	if m := draw(t, r); m.Bounds().Dx() != receiptpicture.Width || m.Bounds().Dy() > 1800 {
		t.Errorf("the largest picture has %v pixels", m.Bounds().Size())
	}
}

func TestAddressMayBeTooLong(t *testing.T) {
	t.Parallel()
	r := arabic("مقهى", "")
	r.CheckURL += strings.Repeat("x", 3000)
	if _, err := receiptpicture.Draw(r); err == nil {
		t.Error("a QR code has 3000 letters")
	}
}

func BenchmarkDraw(b *testing.B) {
	r := arabic("مقهى الميدان", "طلب رقم 1042: آلة قهوة")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := receiptpicture.Draw(r); err != nil {
			b.Fatal(err)
		}
	}
}
