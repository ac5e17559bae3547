package view

import (
	"fmt"
	"strings"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// troubleTexts are the texts of attempt.Trouble. The comments name the arguments of the formats, in
// order.
type troubleTexts struct {
	Mismatch, PaidAgain, NoInquiry string // state, sums, sum asked for; sums
	NoAccount                      string // acquirer
	Under                          string // amount, reference
	Smallest                       string // number, currency
	And                            string // between sums
	States                         map[acquirer.State]string
	Refused                        map[string]string // by attempt.Refused…: the ledger's reason
	Refusals                       map[domain.Refusal]string
}

func troubleTextsIn(say locale.Say) troubleTexts {
	return troubleTexts{
		Mismatch: say("تقول جهة الدفع إن هذه المحاولة %s بمبلغ %s، والمحاولة عندنا بمبلغ %s.",
			"The acquirer says that this attempt is %s, of %s; with us it is of %s."),
		PaidAgain: say("دُفعت مرتين أو أكثر، والزائد: %s.", "It was paid, and then paid again: %s."),
		NoInquiry: say("النتيجة غير معروفة، ولا سبيل إلى سؤال جهة الدفع عنها.",
			"The outcome is unknown, and the acquirer cannot be asked."),
		NoAccount: say("النتيجة غير معروفة، ولم يعد للتطبيق حساب لدى %s.",
			"The outcome is unknown, and the application has no account with %s any more."),
		Under:    say("%s برقم العملية %s", "%s under %s"),
		Smallest: say("%d من أصغر وحدات العملة %s", "%d of the smallest unit of the currency %s"),
		And:      say("، ", ", "),
		States: map[acquirer.State]string{
			acquirer.StatePaid:     say("مدفوعة", "paid"),
			acquirer.StateDeclined: say("مرفوضة", "declined"),
			acquirer.StatePending:  say("قيد التنفيذ", "pending"),
			acquirer.StateNotFound: say("غير معروفة لديها", "not known to it"),
		},
		Refused: map[string]string{
			attempt.RefusedPaid: say("تقول جهة الدفع إنها مدفوعة، وسجلنا لا يقبل ذلك: %s.",
				"The acquirer says that it is paid, which our ledger does not take: %s."),
			attempt.RefusedDeclined: say("تقول جهة الدفع إنها مرفوضة، وسجلنا لا يقبل ذلك: %s.",
				"The acquirer says that it is declined, which our ledger does not take: %s."),
			attempt.RefusedTimeOver: say("انتهت مهلتها، وسجلنا لا يقبل ذلك: %s.",
				"Its time is over, which our ledger does not take: %s."),
			attempt.RefusedAbandoned: say("تخلّى عنها الزبون، وسجلنا لا يقبل ذلك: %s.",
				"The customer gave it up, which our ledger does not take: %s."),
		},
		Refusals: map[domain.Refusal]string{
			domain.RefusedAttemptPaid:    say("هي مدفوعة فيه", "it is paid there"),
			domain.RefusedUnknownAttempt: say("ليست فيه", "it is not there"),
			domain.RefusedMismatch:       say("المبلغ غير مبلغ الدفعة", "the amount is not that of the payment"),
		},
	}
}

// TroubleWords is the reason why an operator must look at an attempt.
func (r rendering) TroubleWords(why attempt.Trouble) string {
	t := r.T.Decisions.Troubles
	var sums []string
	for _, s := range why.Sums {
		sums = append(sums, t.sum(r.Lang, s))
	}
	all := strings.Join(sums, t.And)
	switch why.Kind {
	case attempt.TroubleMismatch:
		if why.Asked != nil {
			return fmt.Sprintf(t.Mismatch, named(t.States, why.State), all, t.sum(r.Lang, *why.Asked))
		}
	case attempt.TroublePaidAgain:
		return fmt.Sprintf(t.PaidAgain, all)
	case attempt.TroubleRefused:
		if sentence, known := t.Refused[why.What]; known {
			return fmt.Sprintf(sentence, named(t.Refusals, why.Refusal))
		}
	case attempt.TroubleNoInquiry:
		return t.NoInquiry
	case attempt.TroubleNoAccount:
		return fmt.Sprintf(t.NoAccount, locale.Isolate(r.T.Acquirers.Name(why.Acquirer)))
	case attempt.TroubleText:
	}
	return locale.Isolate(why.String()) // of an earlier release, or of a later one
}

// sum is the text of money with the acquirer's reference.
func (t troubleTexts) sum(l locale.Lang, s attempt.Sum) string {
	text := fmt.Sprintf(t.Smallest, s.Minor, locale.Isolate(string(s.Currency)))
	if m, ok := s.Money(); ok {
		text = locale.Isolate(locale.AmountText(l, m))
	}
	if s.Reference != "" {
		text = fmt.Sprintf(t.Under, text, locale.Isolate(s.Reference))
	}
	return text
}

// named is the word for a code, or the code itself if there is none.
func named[C ~string](words map[C]string, code C) string {
	if word, known := words[code]; known {
		return word
	}
	return locale.Isolate(string(code))
}
