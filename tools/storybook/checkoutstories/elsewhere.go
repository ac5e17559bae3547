package checkoutstories

import (
	"time"

	"daftar/checkout"
	"daftar/payments/acquirer/lypay"
	"daftar/payments/acquirer/moamalat"
)

// FormScript is the script that draws Moamalat's form, and PictureAddress where the
// picture of the code for LYPay is.
const (
	FormScript     = "https://moamalat.example/js/lightbox.js"
	PictureAddress = Address + "/qr.png"
)

// formSettings are those of Moamalat's form.
const formSettings = `{"MID":"80000000123","TID":"80000456","AmountTrxn":1234500,` +
	`"MerchantReference":"0123456789abcdefghjkmnpqrs","TrxDateTime":"202611202241",` +
	`"SecureHash":"136C7361B2CD87CFE02F71DE6DA4F22C0C692ABEB7DE5FDC1BFF5425B38482C3"}`

// CodeText is the text of a code for LYPay, and longText that of a shop and a bank with
// long names.
const (
	CodeText = "0002010102122709TEST SHOP2804IBAN2925LY680990010000000000123455125" + reference +
		"530343454081234.5005802LY" +
		"5909TEST SHOP6007TRIPOLI62580125" + reference + "0525" + reference + "63041A2B"
	longText = "0002010102122725MAYDAN TRADING AND COFFEE2804IBAN2925LY6809900100000000001234530350103099" +
		"0224NATIONAL COMMERCIAL BANK5125" + reference +
		"53034345410888888.8885802LY5925MAYDAN TRADING AND COFFEE" +
		"6015TRIPOLI CENTRAL62580125" + reference + "0525" + reference + "63041A2B"
	reference = "0123456789abcdefghjkmnpqr"
)

func lightbox(change func(*checkout.Lightbox)) checkout.Lightbox {
	s := checkout.Lightbox{
		Order: Order(), Method: moamalat.Method, ScriptURL: FormScript, Configuration: formSettings,
		Deadline: Deadline, GiveUpAction: GiveUpAction,
	}
	change(&s)
	return s
}

func qr(change func(*checkout.QR)) checkout.QR {
	s := checkout.QR{
		Order: Order(), Method: lypay.Method, Payload: CodeText, PictureURL: PictureAddress,
		Deadline: Deadline, GiveUpAction: GiveUpAction,
	}
	change(&s)
	return s
}

// endsSoon is when less than ten minutes are left.
var endsSoon = Deadline.Add(-9*time.Minute - 30*time.Second)

// elsewhere are the pages on which a customer pays in an acquirer's form or in an app.
func elsewhere() []Story {
	form, scan := text("ادفع ببطاقتك المصرفية", "Pay with your bank card"),
		text("امسح رمز QR وادفع من تطبيق مصرفك", "Scan and pay in your bank’s app")
	ends := text("بقيت أقل من عشر دقائق على انتهاء المهلة.", "Less than ten minutes are left to pay.")
	return []Story{
		{
			Name: "lightbox", State: "lightbox", Title: form,
			When:  text("يدفع الزبون ببطاقته في نموذج معاملات.", "The customer pays by card in Moamalat's form."),
			Shown: lightbox(func(*checkout.Lightbox) {}),
		},
		{
			Name: "lightbox-ends-soon", State: "lightbox", Title: form, When: ends, now: endsSoon,
			Shown: lightbox(func(*checkout.Lightbox) {}),
		},
		{
			Name: "lightbox-only", State: "lightbox", Title: form,
			When:  text("نموذج لا تُترك المحاولة فيه.", "A form whose attempt cannot be given up."),
			Shown: lightbox(func(s *checkout.Lightbox) { s.GiveUpAction = "" }),
		},
		{
			Name: "lightbox-long", State: "lightbox", Title: form,
			When: text("نموذج معاملات مع أطول اسم ووصف ومبلغ.",
				"Moamalat’s form, with the longest name, description and amount."),
			Shown: lightbox(func(s *checkout.Lightbox) { s.Order = longOrder() }),
		},
		{
			Name: "qr", State: "qr", Title: scan,
			When:  text("يمسح الزبون الرمز بتطبيق مصرفه.", "The customer scans the code with the bank’s app."),
			Shown: qr(func(*checkout.QR) {}),
		},
		{
			Name: "qr-ends-soon", State: "qr", Title: scan, When: ends, now: endsSoon,
			Shown: qr(func(*checkout.QR) {}),
		},
		{
			Name: "qr-only", State: "qr", Title: scan,
			When:  text("رمز لا تُترك المحاولة فيه.", "A code whose attempt cannot be given up."),
			Shown: qr(func(s *checkout.QR) { s.GiveUpAction = "" }),
		},
		{
			Name: "qr-long", State: "qr", Title: scan,
			When:  text("أطول رمز واسم ووصف ومبلغ.", "The longest code, name, description and amount."),
			Shown: qr(func(s *checkout.QR) { s.Order, s.Payload = longOrder(), longText }),
		},
	}
}
