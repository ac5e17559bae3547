package moamalat_test

import (
	"sync"
	"testing"
)

// The gateway of the test refuses a date that it has seen before.
func TestManyInquiriesAtOneMoment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.paid()
	var asking sync.WaitGroup
	for range 40 {
		asking.Go(func() {
			if _, err := w.account.Inquire(t.Context(), refOf(p)); err != nil {
				t.Errorf("inquiry: %v", err)
			}
		})
	}
	asking.Wait()
}
