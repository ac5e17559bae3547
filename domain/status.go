package domain

// Status is the state of an intent, as merchants see it (specification,
// "States and transitions"). The empty status is an intent that was never
// created.
type Status string

// The states of an intent.
const (
	StatusRequiresPaymentMethod Status = "requires_payment_method"
	StatusProcessing            Status = "processing"
	StatusSucceeded             Status = "succeeded"
	StatusCanceled              Status = "canceled"
)

// Statuses lists every state of an intent.
func Statuses() []Status {
	return []Status{StatusRequiresPaymentMethod, StatusProcessing, StatusSucceeded, StatusCanceled}
}
