package checkoutstories

import (
	"daftar/checkout"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer/lypay"
	"daftar/payments/acquirer/moamalat"
	"daftar/payments/acquirer/plutu"
	"daftar/payments/acquirer/sandbox"
)

func receipt(change func(*checkout.Receipt)) checkout.Receipt {
	r := checkout.Receipt{
		Order: Order(), PaidAt: PaidAt, Method: sandbox.Wallet, Payer: "091•••5678", CheckURL: CheckURL,
		PictureURL: ReceiptPicture,
	}
	change(&r)
	return r
}

func receiptStory(name, detail string, title, when locale.Text, change func(*checkout.Receipt)) Story {
	return Story{
		Name: name, State: "receipt", Detail: detail, Title: title, When: when, Shown: receipt(change),
		unwatched: true,
	}
}

func paid() []Story {
	title := text("تم الدفع", "Paid")
	late := text("تم الدفع بعد انتهاء المهلة", "Paid after the deadline")
	twice := text("وصلت دفعتان لهذه الطلبية", "Two payments came in for this order")
	return []Story{
		receiptStory("receipt", "", title, text("دُفعت الطلبية.", "The order is paid."),
			func(*checkout.Receipt) {}),
		receiptStory("receipt-in-app", "", title,
			text("دُفعت الطلبية في متصفح فيسبوك أو إنستغرام.", "Paid in Facebook’s or Instagram’s browser."),
			func(r *checkout.Receipt) { r.InApp = true }),
		receiptStory("receipt-sadad", "", title,
			text("دُفعت الطلبية بسداد.", "The order is paid with Sadad."), func(r *checkout.Receipt) {
				r.Method = plutu.Sadad
			}),
		receiptStory("receipt-lypay", "", title,
			text("دُفعت الطلبية بلي باي.", "The order is paid with LYPay."), func(r *checkout.Receipt) {
				r.Method, r.Payer = lypay.Method, ""
			}),
		receiptStory("receipt-moamalat", "", title,
			text("دُفعت الطلبية ببطاقة عبر معاملات.", "The order is paid by card with Moamalat."),
			func(r *checkout.Receipt) { r.Method, r.Payer = moamalat.Method, "" }),
		receiptStory("receipt-just-paid", "", title,
			text("دُفعت الطلبية قبل لحظة، ونعيد الزبون إلى المتجر.",
				"Just paid; the customer is taken back to the shop."),
			func(r *checkout.Receipt) { r.Method, r.Payer, r.SendBack = sandbox.Card, "", true }),
		receiptStory("receipt-long", "", title,
			text("أطول اسم ووصف ومبلغ.", "The longest name, description and amount."),
			func(r *checkout.Receipt) { r.Order, r.Method, r.Payer = longOrder(), sandbox.Card, "" }),
		receiptStory("receipt-already-paid", "already-paid", text("هذه الطلبية مدفوعة", "This order is paid"),
			text("يُفتح رابط طلبية دُفعت من قبل.", "The link of an order that was paid before is opened."),
			func(r *checkout.Receipt) { r.Reopened = true }),
		receiptStory("receipt-late", "late", late,
			text("وصلت الدفعة بعد انتهاء المهلة، وقُبلت.", "The payment came in after the deadline and was accepted."),
			func(r *checkout.Receipt) { r.Order, r.Payer, r.Late = appOrder(), "0912345678", true }),
		receiptStory("receipt-twice", "twice", twice, text("وصلت دفعة ثانية.", "A second payment came in."),
			func(r *checkout.Receipt) { r.Twice, r.ShopNotified = true, true }),
		receiptStory("receipt-late-twice", "twice", twice,
			text("وصلت الأولى بعد المهلة، ثم وصلت ثانية.", "The first came in late, and then a second one."),
			func(r *checkout.Receipt) { r.Late, r.Twice = true, true }),
	}
}

func over() []Story {
	title := text("انتهت مهلة هذه الطلبية", "The time to pay this order is over")
	return []Story{
		{
			Name: "expired", State: "expired", Title: title, unwatched: true,
			When:  text("انتهت المهلة ولم يُدفع شيء.", "The time is over and nothing was paid."),
			Shown: checkout.Expired{Order: Order(), NoMoneyTaken: true},
		},
		{
			Name: "expired-stopped", State: "expired", Detail: "stopped", unwatched: true,
			Title: text("أوقف المتجر الدفع لهذه الطلبية", "The shop no longer takes payment for this order"),
			When: text("أوقف المتجر صفحات الدفع قبل انتهاء المهلة.",
				"The shop stopped its checkouts before the time was over."),
			Shown: checkout.Expired{Order: Order(), NoMoneyTaken: true, Stopped: true},
		},
		{
			Name: "expired-unsure", State: "expired", Title: title, unwatched: true,
			When:  text("انتهت المهلة ولا رابط للعودة.", "The time is over, and there is no way back to the shop."),
			Shown: checkout.Expired{Order: withoutReturn()},
		},
		{
			Name: "expired-checking", State: "expired", Detail: "checking",
			Title: text("نتحقق مع جهة الدفع", "Checking with the payment provider"),
			When: text("انتهت المهلة ثم وصلت رسالة من جهة الدفع.",
				"The time is over, and then a message came from the payment provider."),
			Shown: checkout.Expired{Order: Order(), Checking: true},
		},
	}
}

// ReceiptPicture is the address of the picture of a receipt.
const ReceiptPicture = Address + "/receipt.png"

// CheckURL is the address at which the receipt of the stories is checked.
const CheckURL = "https://pay.example/receipt/0b7e6c1e-9a52-5d0f-8a3e-1f2e3d4c5b6a/mZ3tYw8k0QJ5c1nBv7xHdA"

func proof(change func(*checkout.Proof)) checkout.Proof {
	o := Order()
	p := checkout.Proof{
		Order: checkout.Order{Merchant: o.Merchant, Amount: o.Amount, Reference: o.Reference}, PaidAt: PaidAt,
		Refunded: domain.Money{Currency: o.Amount.Currency},
		Evidence: &checkout.Evidence{
			Positions: []int64{18230, 18234}, Size: 18301, SignedAt: Now,
			Root: "q1MAbOO9kWpM8jZ0J9fVgkDnV2dSgcVvCkM2m0rQ7uY=",
			File: "https://pay.example/receipt/proof.json",
		},
	}
	change(&p)
	return p
}

// proofs are the pages on which anyone checks a receipt.
func proofs() []Story {
	title := text("هذا الإيصال صحيح", "This receipt is genuine")
	return []Story{
		{
			Name: "proof", State: "proof", Title: title, unwatched: true,
			When:  text("يتحقق أحدهم من إيصال.", "Someone checks a receipt."),
			Shown: proof(func(*checkout.Proof) {}),
		},
		{
			Name: "proof-refunded", State: "proof", Title: title, unwatched: true,
			When:  text("أُعيد بعض المبلغ.", "Some of the amount went back."),
			Shown: proof(func(p *checkout.Proof) { p.Refunded.Minor = 200_250 }),
		},
		{
			Name: "proof-pending", State: "proof", Detail: "pending", unwatched: true,
			Title: text("الدفعة مسجّلة ولم تُوقَّع بعد", "The payment is recorded, and not signed yet"),
			When:  text("لم تُوقَّع نقطة تحقق تشمل الدفعة بعد.", "No signed checkpoint covers the payment yet."),
			Shown: proof(func(p *checkout.Proof) { p.Evidence = nil }),
		},
		{
			Name: "proof-not-found", State: "not-found", Detail: "receipt", unwatched: true,
			Title: text("لا يوجد إيصال بهذا الرابط", "There is no receipt at this link"),
			When:  text("إيصال مزوّر أو رابط ناقص.", "A forged receipt, or a link that is not whole."),
			Shown: checkout.NotFound{Receipt: true},
		},
	}
}

func nowhere() []Story {
	return []Story{
		{
			Name: "not-found", State: "not-found",
			Title: text("لا توجد صفحة دفع هنا", "There is no payment page here"), unwatched: true,
			When:  text("الرابط لا يقود إلى شيء.", "The link leads nowhere."),
			Shown: checkout.NotFound{},
		},
		{
			Name: "unavailable", State: "unavailable",
			Title: text("تعذّر عرض الصفحة الآن", "This page cannot be shown right now"), unwatched: true,
			When:  text("عطل من عندنا.", "A fault of ours."),
			Shown: checkout.Unavailable{},
		},
	}
}
