package checkout

import (
	"strconv"

	"daftar/internal/locale"
)

var english = texts{
	AmountDue:   "Amount to pay",
	For:         "For",
	Amount:      "Amount",
	Reference:   "Reference",
	BackTo:      "Back to",
	ErrorPrefix: "Error: ",
	ErrorTitle:  "Correct this to go on",
	CheckNow:    "Check now",
	PhoneEnds:   "a number that ends in",
	Methods:     methodsTextsIn(locale.English.Say),
	Reasons: reasonTexts{
		Declined: reasonText{
			Why:  "The payment was declined.",
			Next: "Contact your bank or choose another way to pay.",
		},
		InsufficientFunds: reasonText{
			Why:  "The balance is too low.",
			Next: "Top up or choose another way to pay.",
		},
		CodeLocked: reasonText{
			Why:  "The code was wrong too many times, so this attempt was closed.",
			Next: "Try again to get a new code.",
		},
		CodeExpired: reasonText{
			Why:  "The code expired before it was entered.",
			Next: "Try again to get a new code, and enter it as soon as it arrives.",
		},
		Abandoned: reasonText{
			Why:  "The payment was stopped before it was complete.",
			Next: "You can try again.",
		},
		PhoneRefused: reasonText{
			Why:  "This number is not registered with the wallet.",
			Next: "Check the number, activate the service with your bank, or choose another way to pay.",
		},
		DetailsRefused: reasonText{
			Why:  "The number and the year of birth do not belong together, or the number is not registered.",
			Next: "Check the number and its owner’s year of birth, or choose another way to pay.",
		},
		AmountRefused: reasonText{
			Why:  "This way of paying does not take this amount.",
			Next: "It may be above the daily limit of your account. Ask your bank or choose another way to pay.",
		},
		TimedOut: reasonText{
			Why:  "The payment was not completed in time.",
			Next: "Try again, and keep your phone at hand.",
		},
		Unreachable: reasonText{
			Why:  "The payment provider could not be reached.",
			Next: "Wait a minute and try again, or choose another way to pay.",
		},
		AccountRefused: reasonText{
			Why:  "The shop cannot be paid this way at the moment.",
			Next: "Choose another way to pay or contact the shop.",
		},
		TooManyCodes: reasonText{
			Why:  "Too many codes were sent within an hour, so none was sent this time.",
			Next: "Try again in an hour, use another number, or choose another way to pay.",
		},
		Expired: reasonText{
			Why:  "The time was over before the money was taken.",
			Next: "Try again, or ask the shop for a new payment link.",
		},
		SettledByOperator: reasonText{
			Why:  "Our staff looked into the payment and found that it did not go through.",
			Next: "You can try again.",
		},
	},
	Pay: payTexts{
		Title:     "Pay",
		Question:  "How do you want to pay?",
		OpenUntil: "Open until",
		TimeLeft:  "Time left",
		Left: leftTexts{
			TenMinutes: "Ten minutes left to pay.", FiveMinutes: "Five minutes left to pay.",
			OneMinute: "One minute left to pay.", ThirtySeconds: "Thirty seconds left to pay.",
		},
		OutOfOrder:       "Not available right now",
		NoneOffered:      "There is no way to pay right now. Please try again in a little while.",
		LimitedTitle:     "Too many attempts",
		Limited:          "There were many attempts to pay this order. You can try again on",
		LimitedForGood:   "There were many attempts to pay this order, so this link takes no more of them.",
		Phone:            "Phone number",
		PhoneExample:     "Example:",
		Button:           "Pay",
		NoCardNumber:     "Your card number never reaches us or the shop.",
		MethodMissing:    "Choose how you want to pay.",
		MethodOutOfOrder: "The way you chose is not available right now. Choose another one.",
		MethodLimited: func(until string) string {
			return "Too many codes were sent in the last hour. You can get one again at " + until + "."
		},
		PhoneMissing:   "Enter your phone number.",
		PhoneNotMobile: "Enter a Libyan mobile number: ten digits that begin with 09.",
		PhoneLimited: func(until string) string {
			return "Too many codes were sent to this number in the last hour. It can get one again at " + until + ". Until then, use another number."
		},
		PhoneOtherNetwork: func(prefixes string) string {
			return "This way to pay takes numbers that begin with " + prefixes + " only."
		},
		Or:                 " or ",
		BirthYear:          "Year of birth",
		BirthYearHint:      "Of the number’s owner, for example 1990",
		BirthYearMissing:   "Enter the year of birth.",
		BirthYearMalformed: "Enter the year of birth in four digits, for example 1990.",
		FailedTitle:        "Not paid",
		NoMoneyTaken:       "No money was taken.",
	},
	OTP: otpTexts{
		Title:       "Enter the code",
		ResentTitle: "Enter the new code",
		Resent:      "We sent a new code. The one before it no longer works.",
		SentTo:      "We sent a code by text message to",
		Code:        "Code",
		Digits:      func(n int) string { return strconv.Itoa(n) + " digits" },
		Button:      "Confirm and pay",
		NeverShare:  "Give this code to nobody, even if they say they are the shop or the bank.",
		NotArrived:  "No code yet?",
		Resend:      "Send a new code",
		ResendIn:    "You can ask for a new code in",
		ResendNow:   "You can ask for a new code now.",
		OtherMethod: "Change the number or the way to pay",
		Missing:     "Enter the code you received.",
		Malformed:   "The code is digits only. Enter it as you received it.",
		Wrong:       "The code is not right. Look at the message and enter it again.",
		TriesLeft:   englishTriesLeft,
		TooMany:     "That was too many codes in a short time. Wait a little, then enter the code.",
		TooManyWait: "Try again in",
		TryNow:      "You can enter the code now.",
		Limited: func(until string) string {
			return "Too many wrong codes were entered in the last hour. You can enter one again at " + until + "."
		},
		ResendLimited: func(until string) string {
			return "Too many codes were sent in the last hour. You can ask for a new one at " + until + "."
		},
	},
	Lightbox: lightboxTexts{
		Title:    "Pay with your bank card",
		What:     "Moamalat’s form opens on this page. Your card number goes to Moamalat only.",
		Button:   "Open the form and pay",
		Missing:  "The form did not load. Check your connection and open this page again.",
		NoScript: "This way to pay needs JavaScript, which is off in your browser. Switch it on, or pay another way.",
	},
	QR: qrTexts{
		Title:     "Scan and pay in your bank’s app",
		What:      "Open the app of your bank, choose LYPay, scan this code and confirm.",
		Picture:   "QR code of this payment for LYPay",
		Save:      "Save the picture",
		SamePhone: "Paying on this phone? Save the picture and choose it in the app.",
		Once:      "Pay it only once.",
	},
	Processing: processingTexts{
		Title:         "Waiting for the payment to be confirmed",
		DoNotPayAgain: "Do not pay again.",
		ByItself:      "This page updates by itself.",
		CardTitle:     "Finish paying on the bank’s page",
		CardButton:    "Go to the bank’s page",
		CardPaid:      "If you have already paid there, do not pay again: the result will show here.",
		GiveUp:        "Pay another way",
		GiveUpOnlyIf:  "Have not paid yet? You can drop this attempt.",
		TimeOverTitle: "The time to pay is over",
		TimeOverWhy:   "A payment was under way at that moment. We are asking the payment provider how it ended.",
		UnknownTitle:  "We are still checking your payment",
		UnknownWhy:    "The payment provider has not given us a final answer yet.",
		MayLeave:      "You may close this page and come back at any time. We keep checking and tell the shop the result. Keep the reference.",
	},
	Receipt: receiptTexts{
		Title:         "Paid",
		LateTitle:     "Paid after the deadline",
		LateNote:      "The shop now decides whether it delivers the order or gives the money back, because the money arrived after the order’s deadline.",
		ReopenedTitle: "This order is paid",
		ReopenedNote:  "This order was paid before, and this is its receipt. Do not pay again.",
		TwiceTitle:    "Two payments came in for this order",
		TwiceNote:     "The second payment is yours, and the shop has to give it back. The order itself is paid.",
		ShopTold:      "We have told the shop.",
		ContactShop:   "Contact the shop about your order and give the reference. Do not pay again.",
		PaidTo:        "Shop",
		PaidAt:        "Time",
		PaidWith:      "Paid with",
		SendBack:      "We take you back to the shop in",
		Stay:          "Stay here",
		Staying:       "You stay on this page.",
		Print:         "Print or save the receipt",
		Share:         "Share the receipt",
		Copy:          "Copy the receipt",
		Copied:        "The receipt is copied.",
		Check:         "Check that the receipt is genuine",
		CheckHint:     "The code opens a page that proves this receipt. It does not say who paid.",
		CheckPicture:  "QR code to check this receipt",
	},
	Proof: proofTexts{
		Title:        "This receipt is genuine",
		What:         "The payment is in a signed log that cannot be changed unnoticed.",
		PendingTitle: "The payment is recorded, and not signed yet",
		PendingWhat:  "The payment is not yet in a signed checkpoint of the log. That usually takes some seconds; then this page shows the proof.",
		Compare:      "Compare amount, shop, time and reference with the receipt, and look at the address of this page in your browser.",
		Refunded:     "Given back of it",
		How:          "How is this known?",
		Log:          "We computed the fingerprint of the payment anew and found it in the log’s tree, whose root is signed. Any auditor can repeat that with the file.",
		Entries:      "Entries in the log",
		Checkpoint:   "Entries signed, and when",
		Root:         "Root of the tree",
		File:         "Download the proof for programs",
	},
	Expired: expiredTexts{
		Title:        "The time to pay this order is over",
		StoppedTitle: "The shop no longer takes payment for this order",
		NoMoneyTaken: "No money was taken.",
		BackToShop:   "Go back to the shop to start again.",
		AskShop:      "Ask the shop for a new payment link.",
		JustPaid:     "If you paid a moment ago, do not pay again: the confirmation will reach the shop and show here.",

		CheckingTitle: "Checking with the payment provider",
		CheckingWhy:   "The time to pay this order is over, but a message about this payment has come from the payment provider. We are asking the provider now.",
		CheckingNext:  "You may close this page and come back at any time. If the payment is confirmed, its receipt shows here and we tell the shop. Keep the reference.",
	},
	Shop:   englishShop,
	Secure: englishSecure,
	NotFound: notFoundTexts{
		Title: "There is no payment page here",
		What:  "The link may be incomplete. Open it as the shop sent it, or ask the shop for a new one.",

		ReceiptTitle: "There is no receipt at this link",
		ReceiptWhat:  "The link may be incomplete, or the receipt forged. Do not rely on it before the shop confirms that the money arrived.",
	},
	Unavailable: unavailableTexts{
		Title:    "This page cannot be shown right now",
		What:     "The fault is ours. Please try again in a minute.",
		JustPaid: "If you paid a moment ago, do not pay again. The result will show on this page.",
		Retry:    "Try again",
	},
}

func englishTriesLeft(n int) string {
	if n == 1 {
		return "You have one try left."
	}
	return "You have " + strconv.Itoa(n) + " tries left."
}
