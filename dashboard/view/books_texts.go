package view

import (
	"fmt"

	"daftar/books"
	"daftar/internal/locale"
)

// bookTexts are the texts about where the money is.
type bookTexts struct {
	Title, Intro, Link, BadMonth, Print, Table                     string
	Account, Accounts, Before, Change, After                       string
	None, NoneHint, Signs, Months, MonthBefore, MonthAfter         string
	From, To, Month, Taken, Arrived                                string
	Due, Expected, NothingExpected, Overdue                        string
	OverdueHint, HabitUnknown, Habit, LastArrived, Fees            string
	ByContract, NothingOverdue                                     string
	Letter, LetterHint, LetterTo, LetterSays, LetterTable, TakenOn string
	Amount, LetterAsks                                             string
	habit, letterHabit, sameDay                                    string
	Names                                                          map[books.Account]string
}

func bookTextsIn(say locale.Say) bookTexts {
	return bookTexts{
		Title: say("أين المال", "Where the money is"), Link: say("أين المال", "Where the money is"),
		Intro: say("ما عند جهات الدفع، وما وصل إلى المصرف، وما اقتُطع. تُحسب الأرصدة من أحداث السجل وحدها.",
			"With the payment providers, in the bank, or kept as fees. "+
				"The balances are computed from the ledger’s events alone."),
		BadMonth: say("اكتب الشهر مثل 2026-10.", "Write the month like 2026-10."),
		Print:    say("اطبع أو احفظ PDF", "Print or save as PDF"),
		Table:    say("أرصدة الحسابات", "Balances of the accounts"),
		Accounts: say("الحسابات", "Accounts"),
		Account:  say("الحساب", "Account"), Before: say("رصيد أول المدة", "Opening balance"),
		Change: say("الحركة", "Change"), After: say("رصيد آخر المدة", "Closing balance"),
		From: say("من", "From"), To: say("إلى", "to"),
		None: say("لا أموال في الدفاتر حتى نهاية هذا الشهر.",
			"No money is in the books up to the end of this month."),
		NoneHint: say("يظهر كل حساب بعد أول دفعة.", "Each account appears after the first payment."),
		Signs: say("المدين موجب والدائن سالب، ومجموع الحسابات كلها صفر.",
			"Debits are positive and credits negative; all accounts add up to zero."),
		Months: say("الأشهر", "Months"), Month: say("الشهر", "Month"),
		MonthBefore: say("الشهر السابق", "Previous month"),
		MonthAfter:  say("الشهر التالي", "Next month"),

		Due:             say("لم يصل بعد", "Not arrived yet"),
		Expected:        say("المتوقع في المصرف", "Expected in the bank"),
		NothingExpected: say("لا شيء", "Nothing"),
		Overdue:         say("متأخر", "Overdue"),
		OverdueHint: say("كان يجب أن يصل كما جرت عادة جهة الدفع.",
			"As the provider usually pays, it should have arrived."),
		NothingOverdue: say("لا شيء متأخر عند جهة الدفع.", "Nothing is overdue with the provider."),
		HabitUnknown: say("تُعرف عادة جهة الدفع بعد قبول أول كشف.",
			"How soon the provider pays is known once a first statement is accepted."),
		Habit:       say("عادة جهة الدفع", "How soon it pays"),
		Taken:       say("قُبض في الشهر، بعد المردود", "Taken in the month, less refunds"),
		Arrived:     say("وصل في الشهر", "Arrived in the month"),
		LastArrived: say("آخر ما وصل", "Last arrived"),
		Fees:        say("العمولات", "Fees"), ByContract: say("حسب العقد", "by contract"),

		Letter: say("رسالة إلى جهة الدفع", "Letter to the provider"),
		LetterHint: say("اطبعها أو انسخها إلى بريد. وهي بالإنجليزية في الصفحة الإنجليزية.",
			"Print it, or copy it into a mail. On the Arabic page it is in Arabic."),
		LetterTo: say("إلى السادة", "To"),
		LetterSays: say("نفيدكم أن أموالًا قبضتموها من زبائننا لم تصل إلى حسابنا في المصرف بعد، ومجموعها",
			"Money that you took from our customers has not arrived in our bank account yet; in all it is"),
		LetterTable: say("ما لم يصل، حسب يوم القبض", "What has not arrived, by the day on which it was taken"),
		TakenOn:     say("قُبض في", "Taken on"), Amount: say("المبلغ", "Amount"),
		LetterAsks: say("نرجو تحويلها، أو إفادتنا برقم التحويل وتاريخه إن كان قد تم. ونبقى شاكرين لتعاونكم.",
			"Please transfer it, or send us the reference and date of the transfer if it was made. Thank you."),
		habit: say("نصفه خلال %s، وتسعة أعشاره خلال %s", "half of it within %s, nine tenths within %s"),
		letterHabit: say("وقد جرت العادة أن يصل معظمها خلال %s من قبضها.",
			"So far most of it has come within %s of its taking."),
		sameDay: say("اليوم نفسه", "the same day"),
		Names: map[books.Account]string{
			books.Due:         say("مستحق من", "Due from"),
			books.Bank:        say("المصرف", "Bank"),
			books.Late:        say("للزبائن: دُفع متأخرًا", "Owed to customers: paid late"),
			books.Duplicate:   say("للزبائن: دُفع مرتين", "Owed to customers: paid twice"),
			books.Sales:       say("المبيعات", "Sales"),
			books.Refunds:     say("مبالغ مردودة", "Refunds"),
			books.Fees:        say("عمولات", "Fees of"),
			books.Differences: say("فروق", "Differences"),
		},
	}
}

// HabitText is how soon a provider pays.
func (r rendering) HabitText(h books.Habit) string {
	return fmt.Sprintf(r.T.Books.habit, r.days(h.Usual), r.days(h.Slow))
}

// LetterHabit is how soon a provider has paid, in a letter to it.
func (r rendering) LetterHabit(h books.Habit) string {
	return fmt.Sprintf(r.T.Books.letterHabit, r.days(h.Slow))
}

func (r rendering) days(n int) string {
	if n == 0 {
		return r.T.Books.sameDay
	}
	return locale.DaysText(r.Lang, n)
}
