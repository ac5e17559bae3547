package locale_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
)

func TestLangFrom(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]locale.Lang{
		"":             locale.Arabic,
		"?lang=":       locale.Arabic,
		"?lang=ar":     locale.Arabic,
		"?lang=ar-LY":  locale.Arabic,
		"?lang=fr":     locale.Arabic,
		"?lang=e":      locale.Arabic,
		"?lang=en":     locale.English,
		"?lang=EN":     locale.English,
		"?lang=en-US":  locale.English,
		"?lang=en_GB":  locale.English,
		"?lang=en/":    locale.English,
		"?lang=en?x=1": locale.English,
		"?lang=%20en":  locale.English,
		"?a=1&lang=en": locale.English,
	} {
		r := httptest.NewRequest(http.MethodGet, "/checkout/x"+query, nil)
		if got := locale.LangFrom(r); got != want {
			t.Errorf("%q: got %s, want %s", query, got, want)
		}
	}
	if locale.Arabic.Dir() != "rtl" || locale.English.Dir() != "ltr" ||
		locale.Arabic.Other() != locale.English || locale.English.Other() != locale.Arabic {
		t.Error("a language has the wrong direction or counterpart")
	}
}

func TestWithLang(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		address string
		lang    locale.Lang
		want    string
	}{
		{"/checkout/a/b", locale.English, "/checkout/a/b?lang=en"},
		{"/checkout/a/b?lang=en", locale.Arabic, "/checkout/a/b"},
		{"/checkout/a/b?lang=en", locale.English, "/checkout/a/b?lang=en"},
		{"/checkout/a/b?stay=1", locale.English, "/checkout/a/b?lang=en&stay=1"},
		{"//evil.example/a", locale.Arabic, "/evil.example/a"},
		{`/\evil.example/a`, locale.English, "/evil.example/a?lang=en"},
		{"/%zz", locale.English, "/"},
		{"", locale.English, "?lang=en"},
	} {
		if got := locale.WithLang(row.address, row.lang); got != row.want {
			t.Errorf("WithLang(%q, %s): got %q, want %q", row.address, row.lang, got, row.want)
		}
	}
}

func TestAmount(t *testing.T) {
	t.Parallel()
	m := domain.Money{Minor: 1_234_500, Currency: domain.LYD}
	for lang, want := range map[locale.Lang][2]string{
		locale.Arabic:  {"1,234.500\u00a0د.ل", "<bdi>1,234.500&nbsp;<small>د.ل</small></bdi>"},
		locale.English: {"1,234.500\u00a0LYD", "<bdi>1,234.500&nbsp;<small>LYD</small></bdi>"},
	} {
		if got := locale.AmountText(lang, m); got != want[0] {
			t.Errorf("%s: got %q, want %q", lang, got, want[0])
		}
		if got := string(locale.AmountHTML(lang, m)); got != want[1] {
			t.Errorf("%s: got %q, want %q", lang, got, want[1])
		}
	}
}

// Tripoli is two hours ahead of UTC all year: late in the evening in UTC it is the next day there.
func TestTimesAreTripolis(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		at                  time.Time
		arabic, english     string
		deadline, deadline2 string
	}{
		{
			time.Date(2026, 11, 21, 22, 30, 0, 0, time.UTC),
			`<time datetime="2026-11-22T00:30:00+02:00">22 نوفمبر 2026، ` +
				`<bdi dir="ltr">00:30</bdi></time>&nbsp;بتوقيت ليبيا`,
			`<time datetime="2026-11-22T00:30:00+02:00">22 November 2026, ` +
				`<bdi dir="ltr">00:30</bdi></time>&nbsp;(Libya’s time)`,
			"الأحد 22 نوفمبر", "Sunday 22 November",
		},
		{
			time.Date(2026, 7, 1, 12, 5, 0, 0, time.UTC),
			`<time datetime="2026-07-01T14:05:00+02:00">1 يوليو 2026، ` +
				`<bdi dir="ltr">14:05</bdi></time>&nbsp;بتوقيت ليبيا`,
			`<time datetime="2026-07-01T14:05:00+02:00">1 July 2026, ` +
				`<bdi dir="ltr">14:05</bdi></time>&nbsp;(Libya’s time)`,
			"الأربعاء 1 يوليو", "Wednesday 1 July",
		},
	} {
		if got := string(locale.MomentHTML(locale.Arabic, row.at)); got != row.arabic {
			t.Errorf("got %s, want %s", got, row.arabic)
		}
		if got := string(locale.MomentHTML(locale.English, row.at)); got != row.english {
			t.Errorf("got %s, want %s", got, row.english)
		}
		if got := locale.Day(locale.Arabic, row.at); got != row.deadline {
			t.Errorf("got %s, want %s", got, row.deadline)
		}
		if got := locale.Day(locale.English, row.at); got != row.deadline2 {
			t.Errorf("got %s, want %s", got, row.deadline2)
		}
	}
}

// Customers read a 12-hour clock; no hour can be taken for one of the next day.
func TestTimeOfDay(t *testing.T) {
	t.Parallel()
	for clock, want := range map[string][2]string{ // in UTC, two hours before Tripoli
		"22:00": {"12:00\u00a0فجرًا", "12:00\u00a0am"},
		"03:59": {"5:59\u00a0فجرًا", "5:59\u00a0am"},
		"04:00": {"6:00\u00a0صباحًا", "6:00\u00a0am"},
		"10:05": {"12:05\u00a0ظهرًا", "12:05\u00a0pm"},
		"12:30": {"2:30\u00a0ظهرًا", "2:30\u00a0pm"},
		"13:00": {"3:00\u00a0عصرًا", "3:00\u00a0pm"},
		"21:59": {"11:59\u00a0مساءً", "11:59\u00a0pm"},
	} {
		at, err := time.Parse("15:04", clock)
		if err != nil {
			t.Fatal(err)
		}
		at = at.AddDate(2026, 0, 0)
		got := [2]string{locale.TimeOfDay(locale.Arabic.Say, at), locale.TimeOfDay(locale.English.Say, at)}
		if got != want {
			t.Errorf("%s UTC: %q, want %q", clock, got, want)
		}
	}
}

func TestFoldDigits(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"٠١٢٣٤٥٦٧٨٩":                "0123456789",
		"۰۱۲۳۴۵۶۷۸۹":                "0123456789",
		"\u200f\u202a123-456\u202c": "123456",
		"12\u00a034\u2009\u201356":  "123456",
		"\x201 2 3\t":               "123",
		"12a4":                      "12a4",
		"１２３＋":                      "123+",
		"":                          "",
	} {
		if got := locale.FoldDigits(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestFoldCode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"111111.":    "111111",
		"111 111":    "111111",
		"111-111":    "111111",
		"١١١١١١،":    "111111",
		"\"111111\"": "111111",
		"«۱۱۱۱۱۱».":  "111111",
		"(１１１１１１)":   "111111",
		"11111a.":    "11111a",
		".":          "",
	} {
		if got := locale.FoldCode(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLibyanMobile(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"0912345678", "912345678", "+218912345678", "00218912345678", "218912345678", "+2180912345678",
		"(091) 234-5678", "091.234.5678", "091/2345678", "091_234_5678",
		"+218 (0)91 234 5678", "+218(91)2345678", "(+218) 91 234 5678", "+218 091 234 5678",
		"00218 91 234 5678", "00218 (0) 91-234-56-78",
		"tel:+218912345678", "Tel: 091 234 5678", "tel://0912345678",
		"０９１２３４５６７８", "＋２１８（９１）２３４－５６７８",
		"091\u00a0234\u202f5678", "091\u2009234\u20115678", "091–234–5678", "091ـ234ـ5678", "٠٩١٫٢٣٤٫٥٦٧٨",
		"\u2067(٠٩١) ٢٣٤-٥٦٧٨\u2069", "\u200e+218\u200f 91\u2066 234 5678\u2069",
		" '0912345678' ", "091\ufeff2345678", "091 234 5678.",
		"091 234 5678", "091-234-5678", "٠٩١٢٣٤٥٦٧٨", "۰۹۱ ۲۳۴ ۵۶۷۸", "\u202a+218 91 234 5678\u202c",
	} {
		if got, ok := locale.LibyanMobile(in); !ok || got != "0912345678" {
			t.Errorf("%q: got %q, %t", in, got, ok)
		}
	}
	for _, in := range []string{
		"", "091234567", "09123456789", "0971234567", "0902345678", "0812345678",
		"+201012345678", "+21891234567", "091234567a", "0218912345678",
		"+0912345678", "000912345678", "0x912345678", "0x0912345678", "O912345678",
		"0912345678 ext 5", "091234567８9", "0912345678/0923456789", "091•••5678",
		"+44 (0)91 234 5678", "*0912345678#", "091 234 5678;1", "tel:",
		"٠٩١٢٣٤٥٦٧x", "0912345678؟", "²0912345678", "09¹2345678",
	} {
		if got, ok := locale.LibyanMobile(in); ok {
			t.Errorf("%q: taken as %q", in, got)
		}
	}
	for digit := '1'; digit <= '6'; digit++ {
		if _, ok := locale.LibyanMobile("09" + string(digit) + "0000001"); !ok {
			t.Errorf("09%c is refused", digit)
		}
	}
}

func TestMaskPhone(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"0912345678": "091•••5678", "+218 92 000 0001": "092•••0001", "12345": "•••", "": "•••", "secret": "•••",
	} {
		if got := locale.MaskPhone(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestIsolate(t *testing.T) {
	t.Parallel()
	if got, want := locale.Isolate("a\u2069\u202eb"), "\u2068ab\u2069"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The function is called once for each language.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	type texts struct{ Yes, No string }
	made := 0
	textsIn := locale.Catalogue(func(say locale.Say) texts {
		made++
		return texts{Yes: say("نعم", "yes"), No: say("لا", "no")}
	})
	for l, want := range map[locale.Lang]texts{
		locale.Arabic: {Yes: "نعم", No: "لا"}, locale.English: {Yes: "yes", No: "no"},
	} {
		if got := *textsIn(l); got != want {
			t.Errorf("%s: %+v, want %+v", l, got, want)
		}
	}
	if made != 2 {
		t.Errorf("made %d times, want once in each language", made)
	}
}

// The year is left out where the reader knows it.
func TestShortDate(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 31, 22, 30, 0, 0, time.UTC) // in Tripoli, the next year
	for _, c := range []struct {
		l    locale.Lang
		year int
		want string
	}{
		{locale.Arabic, 2027, "1 يناير"}, {locale.English, 2027, "1 Jan"},
		{locale.Arabic, 2026, "1 يناير 2027"}, {locale.English, 2026, "1 Jan 2027"},
	} {
		if got := locale.ShortDate(c.l, at, c.year); got != c.want {
			t.Errorf("in %d: %q, want %q", c.year, got, c.want)
		}
	}
}

func TestAgesAgreeInNumber(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration][2]string{
		-time.Second:        {"دقيقة", "1 minute"},
		2 * time.Minute:     {"دقيقتين", "2 minutes"},
		59 * time.Minute:    {"59 دقيقة", "59 minutes"},
		time.Hour:           {"ساعة", "1 hour"},
		5 * time.Hour:       {"5 ساعات", "5 hours"},
		47 * time.Hour:      {"47 ساعة", "47 hours"},
		48 * time.Hour:      {"يومين", "2 days"},
		11 * 24 * time.Hour: {"11 يومًا", "11 days"},
	} {
		for n, l := range []locale.Lang{locale.Arabic, locale.English} {
			if got := locale.AgeText(l, age); got != want[n] {
				t.Errorf("%v: %q, want %q", age, got, want[n])
			}
		}
	}
}
