package bank

import (
	"reflect"
	"testing"
)

func TestBothLanguagesSayEverything(t *testing.T) {
	t.Parallel()
	arabic, english := reflect.ValueOf(catalogues["ar"]), reflect.ValueOf(catalogues["en"])
	for i := range arabic.NumField() {
		name := arabic.Type().Field(i).Name
		one, two := arabic.Field(i).String(), english.Field(i).String()
		if one == "" || two == "" || one == two {
			t.Errorf("%s: %q and %q: not said in both languages", name, one, two)
		}
	}
}
