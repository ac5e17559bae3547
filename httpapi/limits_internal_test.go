package httpapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/domain"
	"daftar/requestlog"
)

// Neither an application nor an organisation can take all places.
func TestListenersLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	var l listeners
	credential := func(organization, application byte) accounts.Credential {
		return accounts.Credential{
			Organization: accounts.OrganizationID{organization},
			Application:  domain.ApplicationID{organization, application},
		}
	}
	enter := func(organization, application byte, times int) (entered int) {
		for range times {
			if l.enter(credential(organization, application)) {
				entered++
			}
		}
		return entered
	}
	got := []int{
		enter(1, 1, 5), enter(1, 2, 5), enter(1, 3, 1),
		enter(2, 1, 5),
		enter(3, 1, 5), enter(3, 2, 5),
		enter(4, 1, 4), enter(4, 2, 4),
		enter(5, 1, 4),
		enter(6, 1, 1),
	}
	if diff := cmp.Diff([]int{4, 4, 0, 4, 4, 4, 4, 4, 4, 0}, got); diff != "" {
		t.Errorf("how many may wait, in turn (-want +got):\n%s", diff)
	}
	l.leave(credential(1, 2))
	if !l.enter(credential(6, 1)) || l.enter(credential(6, 1)) {
		t.Error("after one has left, want room for exactly one")
	}
}

// The body of a refusal is cut to a bound, between characters.
func TestRefusalsAreCut(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, requestlog.MaxError, requestlog.MaxError + 1, 2 * requestlog.MaxError} {
		text := strings.Repeat("ش", size/2) + strings.Repeat("x", size%2)
		want := text
		if size > requestlog.MaxError {
			want = strings.Repeat("ش", requestlog.MaxError/2)
		}
		if diff := cmp.Diff(want, truncate([]byte(text))); diff != "" {
			t.Errorf("%d bytes (-want +got):\n%s", size, diff)
		}
	}
	odd := "x" + strings.Repeat("ش", requestlog.MaxError)
	if got := truncate([]byte(odd)); len(got) != requestlog.MaxError-1 {
		t.Errorf("%d bytes are kept, want %d", len(got), requestlog.MaxError-1)
	}
}
