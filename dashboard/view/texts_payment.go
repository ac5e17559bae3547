package view

import "daftar/payments/acquirer"

// paymentPageTexts are the words of the page of one payment.
type paymentPageTexts struct {
	Title, UUID, MerchantReference, Amount, Application                            string
	CustomerID, ReturnURL, Metadata, ExpiresAt, CreatedAt, UpdatedAt, OpenCheckout string
	CheckoutHint, None                                                             string
	Attempts, NoAttempts, Attempt, Method, Acquirer, Payer, Reason                 string
	ProviderReference, AttemptOpen, AttemptNo, AttemptPaid                         string
	History, HistoryHint, Version, Position, Note, By, IDs, Positions              string
	ByApplication, ByPayer, ByAcquirer, ByExpiry, ByOperator, ByMember             string
	Webhooks, NoWebhooks, ToDecide, Decide, ToList                                 string
	Reasons                                                                        map[acquirer.Reason]string
	Methods                                                                        map[acquirer.Method]string
}

var arabicPayment = paymentPageTexts{
	Title: "الدفعة", UUID: "المعرّف", MerchantReference: "مرجع التاجر",
	Amount: "المبلغ", Application: "التطبيق", CustomerID: "معرّف الزبون", ReturnURL: "رابط العودة",
	Metadata: "بيانات إضافية", ExpiresAt: "تنتهي", CreatedAt: "أُنشئت", UpdatedAt: "آخر تغيير",
	OpenCheckout: "صفحة الزبون", CheckoutHint: "رابط صفحة الزبون للزبون وحده: من يملكه يستطيع الدفع ويرى الإيصال.", None: "لا شيء",
	Attempts: "محاولات الدفع", NoAttempts: "لم يحاول الزبون الدفع بعد.", Attempt: "المحاولة", Method: "الوسيلة", Acquirer: "جهة الدفع",
	Payer: "الدافع", Reason: "السبب", ProviderReference: "المرجع لدى جهة الدفع",
	AttemptOpen: "لم تُعرف نتيجتها بعد", AttemptNo: "لم تنجح", AttemptPaid: "سُحب المبلغ",
	IDs: "المعرّفات والبيانات الإضافية", Positions: "المواضع في السجل",
	History: "ما جرى (بتوقيت ليبيا)", HistoryHint: "هذا هو السجل نفسه، ولا يُعدَّل ولا يُحذف منه شيء.", Version: "الحدث",
	Position: "الموضع في السجل", Note: "ملاحظة", By: "من",
	ByMember:      "عضو المؤسسة",
	ByApplication: "التطبيق", ByPayer: "الزبون", ByAcquirer: "جهة الدفع", ByExpiry: "النظام، بانتهاء المهلة", ByOperator: "المشغّل",
	Webhooks: "إشعارات هذه الدفعة", NoWebhooks: "لم يُسجَّل أي إشعار: لم يكن للتطبيق عنوان إشعارات وقتها.",
	ToDecide: "في هذه الدفعة مبلغ ينتظر قرارًا.", Decide: "إلى القرارات", ToList: "كل المدفوعات",
	Reasons: map[acquirer.Reason]string{
		acquirer.GenericDecline: "رفضت جهة الدفع العملية.", acquirer.InsufficientFunds: "الرصيد لا يكفي.",
		acquirer.CodeLocked: "أُدخل الرمز خطأً عدة مرات.", acquirer.CodeExpired: "انتهت صلاحية الرمز قبل إدخاله.",
		acquirer.Abandoned: "ترك الزبون العملية قبل أن تكتمل.", acquirer.PhoneRefused: "الرقم غير مسجّل في خدمة المحفظة.",
		acquirer.AmountRefused: "لا تقبل جهة الدفع هذا المبلغ.", acquirer.TimedOut: "لم تكتمل العملية في الوقت المتاح.",
		acquirer.TooManyCodes: "أُرسلت رموز كثيرة خلال ساعة، فلم يُرسل رمز.",
		acquirer.Expired:      "انتهت المهلة قبل أن يُسحب المبلغ.",
		acquirer.Unreachable:  "تعذّر الوصول إلى جهة الدفع.", acquirer.SettledByOperator: "راجعها المشغّل وتأكد أنها لم تتم.",
		acquirer.DetailsRefused: "الرقم وسنة الميلاد لا يتطابقان، أو الرقم غير مسجّل.",
		acquirer.AccountRefused: "رفضت جهة الدفع حساب المتجر لديها. راجع إعداداته.",
	},
	Methods: map[acquirer.Method]string{
		acquirer.Wallet: "المحفظة الإلكترونية", acquirer.Card: "بطاقة مصرفية محلية", acquirer.Adfali: "ادفع لي", acquirer.Sadad: "سداد",
		acquirer.Cards: "بطاقة مصرفية محلية", acquirer.TLync: "تي لينك", acquirer.Moamalat: "بطاقة مصرفية عبر معاملات", acquirer.LYPay: "لي باي",
	},
}

var englishPayment = paymentPageTexts{
	Title: "Payment", UUID: "uuid", MerchantReference: "Merchant reference",
	Amount: "Amount", Application: "Application", CustomerID: "Customer’s id", ReturnURL: "Return URL",
	Metadata: "Metadata", ExpiresAt: "Expires", CreatedAt: "Created", UpdatedAt: "Last change",
	OpenCheckout: "Customer’s page", CheckoutHint: "The page’s link is for the customer alone: it lets anyone pay and shows the receipt.", None: "None",
	Attempts: "Attempts to pay", NoAttempts: "The customer has not tried to pay yet.", Attempt: "Attempt", Method: "Method", Acquirer: "Acquirer",
	Payer: "Payer", Reason: "Reason", ProviderReference: "Acquirer’s reference",
	AttemptOpen: "Outcome not known yet", AttemptNo: "Failed", AttemptPaid: "Money taken",
	IDs: "Identifiers and metadata", Positions: "Positions in the ledger",
	History: "What happened (Tripoli time)", HistoryHint: "This is the ledger itself; nothing in it is ever changed or removed.", Version: "Event",
	Position: "Position in the ledger", Note: "Note", By: "By",
	ByMember:      "Member of the organisation",
	ByApplication: "Application", ByPayer: "Customer", ByAcquirer: "Acquirer", ByExpiry: "The service, as time ran out", ByOperator: "Operator",
	Webhooks: "Webhooks of this payment", NoWebhooks: "None was recorded: the application had no webhook URL at the time.",
	ToDecide: "Money of this payment waits for a decision.", Decide: "To the decisions", ToList: "All payments",
	Reasons: map[acquirer.Reason]string{
		acquirer.GenericDecline: "The payment was declined.", acquirer.InsufficientFunds: "The balance is too low.",
		acquirer.CodeLocked: "A wrong code was typed too often.", acquirer.CodeExpired: "The code expired before it was typed.",
		acquirer.Abandoned: "The customer left before it was complete.", acquirer.PhoneRefused: "The number has no wallet.",
		acquirer.AmountRefused: "The acquirer does not take this amount.", acquirer.TimedOut: "It was not completed in time.",
		acquirer.TooManyCodes: "Too many codes were sent within an hour, so none was sent.",
		acquirer.Expired:      "The time was over before the money was taken.",
		acquirer.Unreachable:  "The acquirer could not be reached.", acquirer.SettledByOperator: "The operator checked it: no money was taken.",
		acquirer.DetailsRefused: "The number and the year of birth do not belong together, or the number is not registered.",
		acquirer.AccountRefused: "The acquirer refused the shop's account with it. Look at its settings.",
	},
	Methods: map[acquirer.Method]string{
		acquirer.Wallet: "Phone wallet", acquirer.Card: "Local bank card", acquirer.Adfali: "Adfali", acquirer.Sadad: "Sadad",
		acquirer.Cards: "Local bank card", acquirer.TLync: "T-Lync", acquirer.Moamalat: "Bank card with Moamalat", acquirer.LYPay: "LYPay",
	},
}
