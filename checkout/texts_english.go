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
	},
	Pay: payTexts{
		Title:            "Pay",
		Question:         "How do you want to pay?",
		OpenUntil:        "Open until",
		OutOfOrder:       "Not available right now",
		NoneOffered:      "There is no way to pay right now. Please try again in a little while.",
		Phone:            "Phone number",
		PhoneExample:     "Example:",
		Button:           "Pay",
		NoCardNumber:     "We never ask for your card number on this page.",
		MethodMissing:    "Choose how you want to pay.",
		MethodOutOfOrder: "The way you chose is not available right now. Choose another one.",
		PhoneMissing:     "Enter your phone number.",
		PhoneNotMobile:   "Enter a Libyan mobile number: ten digits that begin with 09.",
		FailedTitle:      "The payment did not go through",
		NoMoneyTaken:     "No money was taken.",
		TryAgain:         "You can try again.",
	},
	OTP: otpTexts{
		Title:       "Enter the code",
		SentTo:      "We sent a code by text message to",
		Code:        "Code",
		Digits:      func(n int) string { return strconv.Itoa(n) + " digits" },
		Button:      "Confirm and pay",
		NeverShare:  "Give this code to nobody, even if they say they are the shop or the bank.",
		OtherMethod: "Pay another way",
		Missing:     "Enter the code you received.",
		Malformed:   "The code is digits only. Enter it as you received it.",
		Wrong:       "The code is not right. Look at the message and enter it again.",
		TriesLeft:   englishTriesLeft,
	},
	Processing: processingTexts{
		Title:         "Waiting for the payment to be confirmed",
		DoNotPayAgain: "Do not pay again.",
		ByItself:      "This page updates by itself.",
		CardTitle:     "Finish paying on the bank’s page",
		CardButton:    "Go to the bank’s page",
		CardPaid:      "If you have already paid there, do not pay again: the result will show here.",
		UnknownTitle:  "We are still checking your payment",
		UnknownWhy:    "The payment provider has not given us a final answer yet.",
		MayLeave:      "You may close this page and come back at any time. We keep checking and tell the shop the result. Keep the reference.",
	},
	Receipt: receiptTexts{
		Title:     "Paid",
		LateTitle: "Paid after the deadline",
		LateNote:  "The money arrived after the order’s deadline, and we have told the shop. Ask the shop about your order and give the reference. Do not pay again.",
		PaidTo:    "Shop",
		PaidAt:    "Time",
		PaidWith:  "Paid with",
		SendBack: func(seconds int) string {
			return "We take you back to the shop in " + strconv.Itoa(seconds) + " seconds."
		},
		Stay: "Stay here",
	},
	Expired: expiredTexts{
		Title:        "The time to pay this order is over",
		NoMoneyTaken: "No money was taken.",
		BackToShop:   "Go back to the shop to start again.",
		AskShop:      "Ask the shop for a new payment link.",
		JustPaid:     "If you paid a moment ago, do not pay again: the confirmation will reach the shop and show here.",
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
