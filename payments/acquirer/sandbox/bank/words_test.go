package bank_test

import (
	"reflect"
	"testing"

	"daftar/payments/acquirer/sandbox/bank"
)

func TestBothLanguagesSayEverything(t *testing.T) {
	t.Parallel()
	catalogues := bank.Words()
	if len(catalogues) != 2 {
		t.Fatalf("%d catalogues, want 2", len(catalogues))
	}
	for i := range reflect.TypeOf(catalogues[0]).NumField() {
		name := reflect.TypeOf(catalogues[0]).Field(i).Name
		one, two := reflect.ValueOf(catalogues[0]).Field(i).String(),
			reflect.ValueOf(catalogues[1]).Field(i).String()
		if one == "" || two == "" || one == two {
			t.Errorf("%s: %q and %q: not said in both languages", name, one, two)
		}
	}
}
