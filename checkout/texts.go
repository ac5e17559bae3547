package checkout

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer"
)

// texts are all words of the checkout in one language. A test fails when a field
// is empty in a language, so a page can never miss a text.
type texts struct {
	AmountDue   string // above the amount to pay
	For         string // before the merchant's description
	Amount      string
	Reference   string
	BackTo      string // before the merchant's name
	ErrorPrefix string // before the title of a page that has to be corrected
	ErrorTitle  string // above the list of what has to be corrected
	CheckNow    string
	PhoneEnds   string // before the last digits of a number, for who hears the page

	Methods methodsTexts

	Pay     payTexts
	Reasons reasonTexts

	OTP         otpTexts
	Lightbox    lightboxTexts
	QR          qrTexts
	Processing  processingTexts
	Receipt     receiptTexts
	Proof       proofTexts
	Expired     expiredTexts
	NotFound    notFoundTexts
	Shop        shopTexts
	Secure      secureTexts
	Unavailable unavailableTexts
}

type payTexts struct {
	Title            string
	Question         string
	OpenUntil        string
	TimeLeft         string // before a clock: 4:59
	Left             leftTexts
	OutOfOrder       string // in place of a method's hint
	NoneOffered      string
	LimitedTitle     string
	Limited          string // before the time
	LimitedForGood   string // before what to do instead
	Phone            string
	PhoneExample     string // before a number
	Button           string // before the amount
	NoCardNumber     string
	MethodMissing    string
	MethodOutOfOrder string
	MethodLimited    func(until string) string
	PhoneMissing     string
	PhoneNotMobile   string
	PhoneLimited     func(until string) string
	// PhoneOtherNetwork says with which prefixes a number has to begin; Or stands between
	// them.
	PhoneOtherNetwork  func(prefixes string) string
	Or                 string
	BirthYear          string
	BirthYearHint      string
	BirthYearMissing   string
	BirthYearMalformed string
	FailedTitle        string
	NoMoneyTaken       string
}

// leftTexts are spoken when so much time is left to pay.
type leftTexts struct {
	TenMinutes    string
	FiveMinutes   string
	OneMinute     string
	ThirtySeconds string
}

type otpTexts struct {
	Title       string
	ResentTitle string
	Resent      string
	SentTo      string // before the masked number
	Code        string
	Digits      func(n int) string
	Button      string // before the amount
	NeverShare  string
	NotArrived  string // above what else can be done
	Resend      string // on the button
	ResendIn    string // before a number of seconds
	ResendNow   string // spoken when they are over
	OtherMethod string
	Missing     string
	Malformed   string
	Wrong       string
	TriesLeft   func(n int) string
	TooMany     string
	TooManyWait string // before a number of seconds
	TryNow      string // spoken when they are over

	Limited       func(until string) string
	ResendLimited func(until string) string
}

type lightboxTexts struct {
	Title    string
	What     string
	Button   string // before the amount
	Missing  string // the acquirer's script did not load
	NoScript string
}

type qrTexts struct {
	Title     string
	What      string
	Picture   string // what the picture is, for people who do not see it
	Save      string
	SamePhone string
	Once      string
}

type processingTexts struct {
	Title         string
	DoNotPayAgain string
	ByItself      string
	CardTitle     string
	CardButton    string
	CardPaid      string
	GiveUp        string // on the button
	GiveUpOnlyIf  string
	TimeOverTitle string
	TimeOverWhy   string
	UnknownTitle  string
	UnknownWhy    string
	MayLeave      string
}

type receiptTexts struct {
	Title         string
	LateTitle     string
	LateNote      string
	ReopenedTitle string
	ReopenedNote  string
	TwiceTitle    string
	TwiceNote     string
	ShopTold      string
	ContactShop   string
	PaidTo        string
	PaidAt        string
	PaidWith      string
	SendBack      string // before a number of seconds
	Stay          string
	Staying       string // spoken after it was pressed
	Print         string
	Share         string
	Copy          string
	Copied        string // spoken after it
	Check         string // on the link to the proof
	CheckHint     string
	CheckPicture  string // what the picture is, for people who do not see it
}

type proofTexts struct {
	Title        string
	What         string
	PendingTitle string
	PendingWhat  string
	Compare      string
	Refunded     string
	How          string
	Log          string
	Entries      string
	Checkpoint   string
	Root         string
	File         string
}

type expiredTexts struct {
	Title        string
	StoppedTitle string // the shop stopped it
	NoMoneyTaken string
	BackToShop   string // when there is a link
	AskShop      string // when there is none
	JustPaid     string

	CheckingTitle string
	CheckingWhy   string
	CheckingNext  string
}

type notFoundTexts struct {
	Title        string
	What         string
	ReceiptTitle string
	ReceiptWhat  string
}

type unavailableTexts struct {
	Title    string
	What     string
	JustPaid string
	Retry    string
}

// reasonText says why an attempt took no money, and what to do next.
type reasonText struct{ Why, Next string }

// reasonTexts are those of each reason.
type reasonTexts struct {
	Declined          reasonText
	InsufficientFunds reasonText
	CodeLocked        reasonText
	CodeExpired       reasonText
	Abandoned         reasonText
	PhoneRefused      reasonText
	DetailsRefused    reasonText
	AmountRefused     reasonText
	TimedOut          reasonText
	Unreachable       reasonText
	AccountRefused    reasonText
	TooManyCodes      reasonText
	Expired           reasonText
	SettledByOperator reasonText
}

func textsIn(l locale.Lang) *texts {
	switch l {
	case locale.Arabic:
		return &arabic
	case locale.English:
		return &english
	}
	panic("checkout: no texts in this language")
}

// reason translates the reasons of acquirer. A word that an old event holds and
// nobody knows any more is a decline.
func (t *texts) reason(r acquirer.Reason) reasonText {
	switch acquirer.ParseReason(string(r)) {
	case acquirer.GenericDecline:
		return t.Reasons.Declined
	case acquirer.InsufficientFunds:
		return t.Reasons.InsufficientFunds
	case acquirer.CodeLocked:
		return t.Reasons.CodeLocked
	case acquirer.CodeExpired:
		return t.Reasons.CodeExpired
	case acquirer.Abandoned:
		return t.Reasons.Abandoned
	case acquirer.PhoneRefused:
		return t.Reasons.PhoneRefused
	case acquirer.DetailsRefused:
		return t.Reasons.DetailsRefused
	case acquirer.AmountRefused:
		return t.Reasons.AmountRefused
	case acquirer.TimedOut:
		return t.Reasons.TimedOut
	case acquirer.Unreachable:
		return t.Reasons.Unreachable
	case acquirer.AccountRefused:
		return t.Reasons.AccountRefused
	case acquirer.TooManyCodes:
		return t.Reasons.TooManyCodes
	case acquirer.Expired:
		return t.Reasons.Expired
	case acquirer.SettledByOperator:
		return t.Reasons.SettledByOperator
	}
	panic("checkout: no text for reason " + string(r))
}
