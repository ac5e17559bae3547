package view

import "daftar/internal/locale"

// overviewTexts are the texts of the overview.
type overviewTexts struct {
	Today, Payments, WholeDay, NothingThen          string
	Needs, Nothing, ToDecide, Stopped, Failing      string
	FailingHint, Endpoint, Refused, Broken, Waiting string
	Week, Latest, All, Search                       string
}

func overviewTextsIn(say locale.Say) overviewTexts {
	return overviewTexts{
		Today: say("وصل اليوم", "Received today"), Payments: say("مدفوعة", "paid"),
		WholeDay:    say("(اليوم كله)", "(the whole day)"),
		NothingThen: say("لم يُدفع شيء", "nothing was paid"),
		Needs:       say("يحتاج انتباهك", "Needs your attention"),
		Nothing:     say("لا شيء ينتظرك الآن.", "Nothing is waiting for you."),
		ToDecide:    say("مدفوعات تحتاج قرارًا", "Payments that need a decision"),
		Stopped:     say("عناوين توقّف إرسال الإشعارات البرمجية إليها", "Addresses that get no webhooks any more"),
		Failing:     say("أكثر المحاولات لا تنجح", "Most attempts fail"),
		FailingHint: say("في آخر 24 ساعة", "in the last 24 hours"),
		Endpoint:    say("لا يستقبل الإشعارات البرمجية", "does not accept webhooks"),
		Refused:     say("طلبات API مرفوضة", "API requests refused"),
		Broken:      say("طلبات API لم ننفّذها", "API requests that we could not carry out"),
		Waiting:     say("مبالغ تنتظر قرارك", "Money that waits for your decision"),
		Week:        say("آخر 7 أيام", "The last 7 days"), Latest: say("آخر المدفوعات", "Latest payments"),
		All:    say("كل المدفوعات", "All payments"),
		Search: say("ابحث عن دفعة", "Find a payment"),
	}
}
