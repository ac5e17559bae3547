package locale

// The forms of what is counted, by language, as the subject of a sentence.
var (
	paymentForms = [...]countForms{
		Arabic:  {one: "دفعة واحدة", two: "دفعتان", few: "# دفعات", other: "# دفعة"},
		English: {one: "1 payment", two: "2 payments", few: "# payments", other: "# payments"},
	}
	transactionForms = [...]countForms{
		Arabic:  {one: "عملية واحدة", two: "عمليتان", few: "# عمليات", other: "# عملية"},
		English: {one: "1 transaction", two: "2 transactions", few: "# transactions", other: "# transactions"},
	}
)

// Payments is a number of payments in words that agree in number: دفعتان, 11 دفعة.
func Payments(l Lang, n int) string { return paymentForms[l].counted(n) }

// Transactions is a number of payments and refunds.
func Transactions(l Lang, n int) string { return transactionForms[l].counted(n) }

// AmongTransactions is that number after a preposition, as في requires it: في عمليتين.
func AmongTransactions(l Lang, n int) string {
	forms := transactionForms[l]
	if l == Arabic {
		forms.two = "عمليتين"
	}
	return forms.counted(n)
}
