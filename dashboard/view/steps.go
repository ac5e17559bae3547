package view

// stepName is a step of a checklist.
type stepName uint8

// The steps to the first payment by code, in their order.
const (
	StepApplication stepName = iota
	StepToken
	StepIntent
	StepPaid
	StepURL
	StepDelivered
)

// The steps of a new organisation that are not among those.
const (
	StepAcquirer stepName = iota + StepDelivered + 1
	StepBrand
	StepInvitation
	StepLink
)

// Step is an entry of a checklist. Whether it is done follows from the data; users cannot tick it.
type Step struct {
	Name stepName
	Done bool
	Path string // its page below the organisation; empty: not in the dashboard, or not possible yet
}

// Steps are a checklist of less than ten entries.
type Steps []Step

// Done is the number of steps that are done.
func (s Steps) Done() int {
	done := 0
	for _, step := range s {
		if step.Done {
			done++
		}
	}
	return done
}
