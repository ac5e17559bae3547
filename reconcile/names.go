package reconcile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"daftar/payments/acquirer/statements"
)

// bankColumns are the column names of banks, used for fields that the provider's own names do not find.
var bankColumns = map[statements.Field][]string{
	statements.Reference: normals(`
		merchant_reference merchant_ref merchant_order_id our_reference customer_reference order_reference
		order_id order_no invoice_no invoice_number reference ref مرجع_التاجر رقم_الفاتورة رقم_الطلب المرجع`),
	statements.Number: normals(`
		transaction_id transaction_no transaction_number transaction_reference system_reference
		bank_reference rrn retrieval_reference_number رقم_العملية رقم_المعاملة رقم_الحركة`),
	statements.Amount: normals(`
		amount transaction_amount gross_amount المبلغ مبلغ القيمة مبلغ_العملية مبلغ_المعاملة قيمة_العملية`),
	statements.Credit: normals(`
		credit credit_amount credits deposit deposits money_in paid_in cr cr_amount دائن الدائن
		المبلغ_الدائن إيداع الإيداع إيداعات`),
	statements.Debit: normals(`
		debit debit_amount debits withdrawal withdrawals money_out paid_out dr dr_amount مدين المدين
		المبلغ_المدين سحب السحب سحوبات مسحوبات`),
	statements.Narrative: normals(`
		narrative narration description transaction_description details transaction_details particulars
		remarks memo payment_details details_of_payment البيان بيان الوصف وصف التفاصيل تفاصيل الشرح
		الملاحظات بيان_العملية بيان_الحركة تفاصيل_العملية`),
	statements.Currency: normals(`currency currency_code ccy العملة عملة`),
	statements.Time: normals(`
		date_time date_and_time transaction_date_time transaction_time transaction_date date paid_at
		created_at posting_date booking_date value_date time التاريخ تاريخ تاريخ_العملية تاريخ_المعاملة
		تاريخ_الحركة التاريخ_والوقت الوقت`),
	statements.Status: normals(`status state result transaction_status الحالة حالة حالة_العملية`),
	statements.Type: normals(`
		type transaction_type dr/cr debit/credit النوع نوع_العملية نوع_الحركة مدين/دائن`),
	statements.Fee: normals(`
		fee fees fee_amount total_fees commission commission_amount merchant_fee service_fee mdr_amount
		العمولة عمولة قيمة_العمولة الرسوم رسوم`),
	statements.Settled: normals(`
		settled_on settled_at settlement_date payout_date value_date تاريخ_التسوية تاريخ_الحق تاريخ_القيمة`),
}

// paidWords maps the words for a payment's status to whether its money was taken.
var paidWords = wordsOf(
	"approved paid completed complete confirmed success successful succeeded settled captured "+
		"ok 00 1 true yes "+
		"مقبولة مقبول ناجحة ناجح مدفوعة مدفوع مكتملة مكتمل منفذة تمت",
	"declined failed failure canceled cancelled rejected refused expired pending processing "+
		"acknowledged initiated open error 0 false no "+
		"مرفوضة مرفوض فاشلة فاشل ملغاة ملغية ملغي معلقة معلق منتهية قيد_التنفيذ قيد_الانتظار",
)

// refusals are the words of paidWords for a payment that was certainly refused. A pending one may
// still be paid, an error leaves the outcome open, and منتهية is expired to some and completed to others.
var refusals = wordsOf("declined failed failure canceled cancelled rejected refused expired "+
	"مرفوضة مرفوض فاشلة فاشل ملغاة ملغية ملغي", "")

// denials are refusals in a column that asks whether the payment was approved.
var denials = wordsOf("0 false no", "")

// incomingWords maps the words for the type of a line to whether money came in; otherwise it went back.
var incomingWords = wordsOf("sale purchase payment p2m p2p m2m 1 credit cr c بيع شراء دفع دائن إيداع",
	"refund reversal void voidsale m2p 2 3 debit dr d رد استرداد إلغاء مدين سحب")

// debitWords are the words in incomingWords that banks use for all money that leaves an account.
var debitWords = wordsOf("debit dr d مدين سحب", "")

// totalWords are the words in a line that sums up others.
var totalWords = wordsOf(`
	total totals grand_total sub_total total_amount total_credit total_credits total_debit
	total_debits sum balance opening_balance closing_balance
	الإجمالي إجمالي المجموع مجموع الإجمالي_الكلي المجموع_الكلي الإجمالي_العام المجموع_العام
	الإجمالي_الفرعي إجمالي_المبلغ إجمالي_المبالغ إجمالي_العمليات الرصيد الرصيد_الافتتاحي
	الرصيد_الختامي رصيد_أول_المدة رصيد_آخر_المدة`, "")

// remarkWords are the first words of lines about the statement itself.
var remarkWords = normals(`
	total number_of count balance opening_balance closing_balance printed generated page end_of note
	إجمالي الإجمالي المجموع عدد الرصيد طبع تاريخ_الطباعة صفحة نهاية ملاحظة`)

// dinarMarks are the spellings of the dinar next to an amount and in the name of a column.
var dinarMarks = normals(`
	lyd l.d. libyan_dinar libyan_dinars dinar dinars
	د.ل دينار_ليبي بالدينار_الليبي بالدينار دينار`)

func normals(names string) []string {
	all := strings.Fields(names)
	for n, name := range all {
		all[n] = normal(name)
	}
	return all
}

func wordsOf(yes, no string) map[string]bool {
	words := map[string]bool{}
	for _, word := range normals(yes) {
		words[word] = true
	}
	for _, word := range normals(no) {
		words[word] = false
	}
	return words
}

// normal is a name or a word in the form in which it is compared: in lower case, without
// blanks, hyphens, underscores, full stops and invisible marks, and with one letter for
// those that Arabic keyboards write in several ways.
func normal(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 'A' {
			if unseen(r) || r == '-' || r == '.' {
				return -1
			}
			return r
		}
		switch r {
		case '_', 'ـ':
			return -1
		case 'أ', 'إ', 'آ', 'ٱ':
			return 'ا'
		case 'ى', 'ی':
			return 'ي'
		case 'ة':
			return 'ه'
		case 'ک':
			return 'ك'
		}
		if r >= '\u064b' && r <= '\u0652' || unseen(r) {
			return -1 // vowels of Arabic
		}
		return unicode.ToLower(r)
	}, s)
}

// spellings are the names that the head of a column may mean: the whole text, and each of its
// languages alone, as in "Amount / المبلغ (د.ل)"; without the mark of the dinar.
func spellings(name string) []string {
	var all []string
	name = normal(name)
	both := strings.ContainsFunc(name, isArabic) && strings.ContainsFunc(name, isLatin)
	for _, keep := range []func(rune) bool{
		func(r rune) bool { return !strings.ContainsRune("()[]:*", r) },
		isLatin, isArabic,
	} {
		if len(all) > 0 && !both {
			break
		}
		kept := strings.Map(func(r rune) rune {
			if keep(r) {
				return r
			}
			return -1
		}, name)
		for _, mark := range dinarMarks {
			if cut, found := strings.CutSuffix(kept, mark); found {
				kept = strings.TrimSuffix(cut, "in")
				break
			}
		}
		if kept != "" {
			all = append(all, kept)
		}
	}
	return all
}

func isLatin(r rune) bool { return r >= 'a' && r <= 'z' }

func isArabic(r rune) bool { return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) }

// trimmed is a text without blanks and invisible marks at its ends.
func trimmed(s string) string {
	visible := func(b byte) bool { return b > ' ' && b < utf8.RuneSelf }
	if s == "" || visible(s[0]) && visible(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, unseen)
}

// unseen reports whether a character is a blank, or a mark such as those of direction and byte order.
func unseen(r rune) bool {
	if r < 0x80 {
		return r == ' ' || r >= '\t' && r <= '\r'
	}
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
}
