package checkout

import (
	"time"

	"daftar/internal/locale"
	"daftar/payments/acquirer"
)

// texts are all texts of the checkout in one language, a struct for each part. A function makes the
// value of a part in either language, in the file that is named as the template with the text: a
// text is a field and one entry there. A test fails when a field is empty, so no page lacks a text.
type texts struct {
	AmountDue   string // above the amount to pay
	For         string // before the merchant's description
	Amount      string
	Reference   string
	BackTo      string // before the merchant's name
	ErrorPrefix string // before the title of a page that has to be corrected
	ErrorTitle  string // above the list of what has to be corrected
	CheckNow    string
	PhoneEnds   string // before the last digits of a number, for screen readers
	By          string // before the name of the acquirer, where two ways have one name
	TimeOfDay   func(time.Time) string

	Pay     payTexts
	Reasons map[acquirer.Reason]reasonText

	OTP         otpTexts
	Lightbox    lightboxTexts
	QR          qrTexts
	Processing  processingTexts
	Receipt     receiptTexts
	Proof       proofTexts
	Expired     expiredTexts
	NotFound    notFoundTexts
	Shop        shopTexts
	ShopPage    shopPageTexts
	Secure      secureTexts
	Unavailable unavailableTexts
}

// textsIn are the texts of a language.
var textsIn = locale.Catalogue(allTextsIn)

func allTextsIn(say locale.Say) texts {
	return texts{
		AmountDue:   say("المبلغ المطلوب", "Amount to pay"),
		For:         say("الوصف", "For"),
		Amount:      say("المبلغ", "Amount"),
		Reference:   say("المرجع", "Reference"),
		BackTo:      say("العودة إلى", "Back to"),
		ErrorPrefix: say("خطأ: ", "Error: "),
		ErrorTitle:  say("صحّح ما يلي لتكمل الدفع", "Correct this to go on"),
		CheckNow:    say("تحقّق الآن", "Check now"),
		PhoneEnds:   say("رقم ينتهي بالأرقام", "a number that ends in"),
		By:          say("عبر", "by"),
		TimeOfDay:   func(at time.Time) string { return locale.TimeOfDay(say, at) },

		Pay:         payTextsIn(say),
		Reasons:     reasonTextsIn(say),
		OTP:         otpTextsIn(say),
		Lightbox:    lightboxTextsIn(say),
		QR:          qrTextsIn(say),
		Processing:  processingTextsIn(say),
		Receipt:     receiptTextsIn(say),
		Proof:       proofTextsIn(say),
		Expired:     expiredTextsIn(say),
		NotFound:    notFoundTextsIn(say),
		Shop:        shopTextsIn(say),
		ShopPage:    shopPageTextsIn(say),
		Secure:      secureTextsIn(say),
		Unavailable: unavailableTextsIn(say),
	}
}
