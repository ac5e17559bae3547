package people

import "testing"

// RFC 6238, appendix B, SHA-1: the last six of its eight digits.
func TestVectorsOfRFC6238(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037",
		20000000000: "353130",
	} {
		if got := totpCode([]byte("12345678901234567890"), seconds/30); got != want {
			t.Errorf("at %d: %s, want %s", seconds, got, want)
		}
	}
}

func TestListOfCommonPasswordsIsWhole(t *testing.T) {
	t.Parallel()
	if len(common) < 3000 {
		t.Errorf("the list has %d common passwords", len(common))
	}
}
