package checkout

import "daftar/internal/locale"

// lightboxTexts and qrTexts have {acquirer} where its name is.
type lightboxTexts struct {
	Title    string
	What     string
	Button   string // before the amount
	Missing  string // the acquirer's script did not load
	NoScript string
}

func lightboxTextsIn(say locale.Say) lightboxTexts {
	return lightboxTexts{
		Title: say("ادفع ببطاقتك المصرفية", "Pay with your bank card"),
		What: say("يُفتح نموذج {acquirer} في هذه الصفحة، ولا يصل رقم بطاقتك إلا إلى {acquirer}.",
			"{acquirer}’s form opens on this page. Your card number goes to {acquirer} only."),
		Button: say("افتح النموذج وادفع", "Open the form and pay"),
		Missing: say("تعذّر تحميل النموذج. تحقّق من اتصالك ثم افتح الصفحة مرة أخرى.",
			"The form did not load. Check your connection and open this page again."),
		NoScript: say("تحتاج هذه الوسيلة إلى JavaScript، وهي متوقفة في متصفحك. شغّلها، أو ادفع بوسيلة أخرى.",
			"This payment method needs JavaScript, which is off in your browser. Switch it on, or pay another way."),
	}
}

type qrTexts struct {
	Title     string
	What      string
	Picture   string // what the picture is, for people who do not see it
	Save      string
	SamePhone string
	Once      string
}

func qrTextsIn(say locale.Say) qrTexts {
	return qrTexts{
		Title: say("امسح رمز QR وادفع من تطبيق مصرفك", "Scan and pay in your bank’s app"),
		What: say("افتح تطبيق مصرفك واختر {acquirer}، ثم امسح رمز QR هذا وأكّد الدفع.",
			"Open the app of your bank, choose {acquirer}, scan this code and confirm."),
		Picture: say("رمز QR لهذه الدفعة عبر {acquirer}", "QR code of this payment for {acquirer}"),
		Save:    say("احفظ الصورة", "Save the picture"),
		SamePhone: say("تدفع من هذا الهاتف نفسه؟ احفظ الصورة ثم اخترها في التطبيق.",
			"Paying on this phone? Save the picture and choose it in the app."),
		Once: say("ادفع مرة واحدة فقط.", "Pay it only once."),
	}
}
