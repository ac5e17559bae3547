package daftar

import (
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

// encode is the JSON of a request's fields.
func encode(fields any) ([]byte, error) {
	if !isText(reflect.ValueOf(fields)) {
		// JSON would have the same character for all bytes that are none: two references would become one.
		return nil, wrong("the fields are not all text in UTF-8")
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, wrong("the fields cannot be written as JSON: %v", err)
	}
	return text, nil
}

// isText reports whether all strings in v are UTF-8.
func isText(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return utf8.ValidString(v.String())
	case reflect.Pointer:
		return v.IsNil() || isText(v.Elem())
	case reflect.Struct:
		for n := range v.NumField() {
			if !isText(v.Field(n)) {
				return false
			}
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next(); {
			if !isText(each.Key()) || !isText(each.Value()) {
				return false
			}
		}
	}
	return true
}
