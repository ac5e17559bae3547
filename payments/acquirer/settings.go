package acquirer

import (
	"errors"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"daftar/internal/locale"
)

// Setting describes one of the settings of an account.
type Setting struct {
	Name     string   // in the JSON
	Secret   bool     // only the acquirer and the server may see it
	Optional bool     // may be left out
	Flag     bool     // true or false, not a text
	Choices  []string // the first where it is left out; nil: any text

	Label locale.Text
	Hint  locale.Text // where to find it and its form
}

// EncodeSettings writes settings as Provider.Open reads them. A setting without a value is left
// out; a flag with any value is true.
func EncodeSettings(all []Setting, values map[string]string) ([]byte, error) {
	members := make(map[string]any)
	for _, s := range all {
		switch value := values[s.Name]; {
		case value == "":
		case s.Flag:
			members[s.Name] = true
		default:
			members[s.Name] = value
		}
	}
	return json.Marshal(members, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// SettingsError says what is wrong with an account's settings. It never repeats a value:
// most of them are secrets.
type SettingsError struct {
	Setting string // its name in the JSON; empty: all of them
	Problem string // as in "is missing"
}

func (e *SettingsError) Error() string {
	if e.Setting == "" {
		return "settings: " + e.Problem
	}
	return "settings: " + e.Setting + " " + e.Problem
}

// nameForm matches a mistyped name, but not a secret in the place of a name: an error must
// not repeat one.
var nameForm = regexp.MustCompile(`^[a-zA-Z_]{0,24}(/[0-9]{1,3})?$`)

// DecodeSettings reads the JSON of an account's settings into a struct. An unknown name is
// refused, because a mistyped setting would be ignored. The error is a *SettingsError.
func DecodeSettings(settings []byte, into any) error {
	err := json.Unmarshal(settings, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	wrong := &SettingsError{Problem: "are not a JSON object"}
	if e, ok := errors.AsType[*json.SemanticError](err); ok {
		wrong.Setting = strings.TrimPrefix(string(e.JSONPointer), "/")
		switch {
		case errors.Is(err, json.ErrUnknownName) && !nameForm.MatchString(wrong.Setting):
			wrong.Problem = "have a name that is not known"
		case errors.Is(err, json.ErrUnknownName):
			wrong.Problem = "is not known"
		case wrong.Setting != "":
			wrong.Problem = "has the wrong type"
		}
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok && errors.Is(e, jsontext.ErrDuplicateName) {
		wrong.Setting, wrong.Problem = strings.TrimPrefix(string(e.JSONPointer), "/"), "stands there twice"
	}
	if !nameForm.MatchString(wrong.Setting) {
		wrong.Setting = ""
	}
	return wrong
}
