package checkout

import "strconv"

var english = texts{
	AmountDue:   "Amount to pay",
	For:         "For",
	Amount:      "Amount",
	Reference:   "Reference",
	BackTo:      "Back to",
	ErrorPrefix: "Error: ",
	ErrorTitle:  "Correct this to go on",
	CheckNow:    "Check now",
	Wallet:      methodTexts{Name: "Phone wallet", Hint: "You get a code by text message"},
	Card:        methodTexts{Name: "Local bank card", Hint: "You continue on the bank’s page"},
	Reasons: reasonTexts{
		Declined:          "The payment was declined.",
		InsufficientFunds: "The balance is too low for this amount.",
		CodeLocked:        "The code was wrong too many times, so this attempt was closed.",
		CodeExpired:       "The code expired before it was entered.",
		Abandoned:         "The payment was stopped before it was complete.",
		PhoneRefused:      "This number is not registered with the wallet.",
		AmountRefused:     "This way of paying does not take this amount.",
		TimedOut:          "The payment was not completed in time.",
		Unreachable:       "The payment provider could not be reached.",
		TooManyCodes:      "Too many codes were sent within an hour, so none was sent this time.",
		Expired:           "The time was over before the money was taken.",
		SettledByOperator: "Our staff looked into the payment and found that it did not go through.",
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
		NoCardNumber:     "We never ask for your card number on this page.",
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
		FailedTitle:  "Not paid",
		NoMoneyTaken: "No money was taken.",
		TryAgain:     "You can try again.",
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
	Processing: processingTexts{
		Title:         "Waiting for the payment to be confirmed",
		DoNotPayAgain: "Do not pay again.",
		ByItself:      "This page updates by itself.",
		CardTitle:     "Finish paying on the bank’s page",
		CardButton:    "Go to the bank’s page",
		CardPaid:      "If you have already paid there, do not pay again: the result will show here.",
		GiveUp:        "Pay another way",
		GiveUpOnlyIf:  "Did not pay on the bank’s page? You can drop this attempt.",
		TimeOverTitle: "The time to pay is over",
		TimeOverWhy:   "A payment was under way at that moment. We are asking the payment provider how it ended.",
		UnknownTitle:  "We are still checking your payment",
		UnknownWhy:    "The payment provider has not given us a final answer yet.",
		MayLeave:      "You may close this page and come back at any time. We keep checking and tell the shop the result. Keep the reference.",
	},
	Receipt: receiptTexts{
		Title:         "Paid",
		LateTitle:     "Paid after the deadline",
		LateNote:      "The money arrived after the order’s deadline.",
		ReopenedTitle: "This order is paid",
		ReopenedNote:  "This order was paid before, and this is its receipt. Do not pay again.",
		TwiceTitle:    "Two payments came in for this order",
		TwiceNote:     "The order is paid, and a second payment of the same amount came in after that. The second one is yours, and the shop has to give it back.",
		ShopTold:      "We have told the shop.",
		ContactShop:   "Contact the shop about your order and give the reference. Do not pay again.",
		PaidTo:        "Shop",
		PaidAt:        "Time",
		PaidWith:      "Paid with",
		SendBack:      "We take you back to the shop in",
		Stay:          "Stay here",
		Staying:       "You stay on this page.",
		Print:         "Print the receipt",
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
	NotFound: notFoundTexts{
		Title: "There is no payment page here",
		What:  "The link may be incomplete. Open it as the shop sent it, or ask the shop for a new one.",
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
