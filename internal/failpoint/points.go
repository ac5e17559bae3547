package failpoint

// Points are the moments at which the program can be killed, and what a crash
// there must not break.
var Points = []Point{
	{"append_before_send", "a batch was formed and is not on its way: nothing of it may be in the log"},
	{"append_after_commit", "a batch is committed and nobody was answered: repeating a create must find it"},
	{"feed_before_ack", "a group has handled a batch and its offset is not written: both come again, together"},
	{"webhooks_before_send", "a delivery is claimed and not sent: another server sends it when the lease ends"},
	{"webhooks_before_mark", "an endpoint has answered and that is not written: it is sent once more"},
	{"expiry_before_append", "a timer is claimed and the intent is not canceled yet"},
	{"expiry_before_conclude", "intents are canceled and their timers are still leased"},
	{"checkout_before_event", "an attempt has its row and no event: the acquirer was not asked"},
	{"checkout_before_begin", "an attempt is in the ledger and the acquirer was not asked"},
	{"checkout_after_begin", "the acquirer has opened the payment and that is not written"},
	{"checkout_before_confirm", "a code is claimed and not handed over"},
	{"checkout_after_confirm", "the acquirer has taken the money and that is not written"},
	{"checkout_before_settle", "an inquiry says paid and the ledger does not know"},
	{"checkout_before_close", "the ledger knows of the payment and the attempt's row does not"},
	{"transparency_before_checkpoint", "the leaves are in the tree and the checkpoint over them is not stored"},
	{"transparency_after_checkpoint", "a checkpoint is stored and was not handed over"},
	{"rebuild_before_swap", "the new tables are complete and the swap is not committed"},
	{"rebuild_after_swap", "the tables are swapped and the old ones still there"},
}

// Point is a place in the code.
type Point struct {
	Name string
	Why  string // the state after a crash there
}
