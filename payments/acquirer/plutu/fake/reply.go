package fake

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"daftar/payments/acquirer/fake"
)

// errorCodes are Plutu's, spelt as Plutu spells them, with the status that each comes with.
var errorCodes = []struct {
	name   string
	status int
}{
	{"FORBIDDEN_IP_ADDRESS", 403},
	{"SECRET_KEY_DOES_NOT_EXIST", 401},
	{"INVALID_MERCHANT_SECRET_KEY", 401},
	{"AUTH_ERROR", 401},
	{"UNAUTHORIZED", 401},
	{"UNAUTHORIZED_MERCHANT_ACCOUNT", 401},
	{"NOT_SUBSCRIBED", 403},
	{"INVALID_GATEWAY", 404},
	{"DENIED_ACCESS_GATEWAY", 403},
	{"INVALID_MERCHANT_CATEGORY", 403},
	{"MISSING_PARAMETER", 400},
	{"MISSING_QR_PARAMETER", 400},
	{"INVALID_INPUTS", 422},
	{"INVALID_AMOUNT", 400},
	{"NOT_ALLOWED_AMOUNT", 400},
	{"AMOUNT_EXCEEDED_MAXIMUM", 400},
	{"CURRENCY_NOT_SUPPORTED", 400},
	{"INVALID_INVOICE_AMOUNT_OR_NUMBER", 400},
	{"DUPLICATED_INVOICE_NUMBER", 400},
	{"REFERENCE_NUMBER_DOES_NOT_EXIST", 404},
	{"INVALID_MOBILE_NUMBER", 400},
	{"INVALID_MOBILE_NUMBER_OR_BIRTH_YEAR", 400},
	{"EMPTY_MOBILE_NUMBER", 400},
	{"EMPTY_BIRTH_YEAR", 400},
	{"CHECK_BANK_ACCOUNT", 400},
	{"INSUFFICIENT_BALANCE", 400},
	{"INVLIAD_OTP", 400},
	{"OTP_EXPIRED", 400},
	{"OTP_WAIT_BEFORE_RESNED", 429},
	{"CONFIRMATION_ERROR", 400},
	{"ADD_PAYMENT_ERROR", 500},
	{"BACKEND_ERROR", 500},
	{"BACKEND_SERVER_ERROR", 500},
	{"AMOUNT_NOT_ALLOWED", 400},
	{"INVALID_AMOUNT_FORMAT", 400},
	{"SANDBOX_TRANSACTION_LIMIT_EXCEEDED", 400},
	{"TOO_MAY_REQUESTS", 429},
	{"TOO_MANY_REQUESTS", 429},
	{"MAINTENANCE_MODE", 503},
	{"TEST_MODE_NOT_SUPPORTED", 400},
}

// Codes lists every error code, in the order of GET /control/codes.
func Codes() []string {
	names := make([]string, 0, len(errorCodes))
	for _, c := range errorCodes {
		names = append(names, c.name)
	}
	return names
}

// statusOf returns the status of a code; 400 where it is not Plutu's.
func statusOf(code string) int {
	for _, c := range errorCodes {
		if c.name == code {
			return c.status
		}
	}
	return http.StatusBadRequest
}

// reply is an answer of the API before it is encoded.
type reply struct {
	code      string     // of an error; empty: the call was carried out
	wrong     []string   // fields that an error is about
	framework bool       // the error is that of the framework, without a code
	result    fields     // of a call that was carried out
	message   string     // a sentence
	fault     fake.Fault // of the answer, after the call was carried out
	before    func()     // is called before the answer
	slow      bool       // it comes late
}

func fails(code string, wrong ...string) reply { return reply{code: code, wrong: wrong} }

// numeric are the members that the other spelling has as numbers.
var numeric = []string{"process_id", "amount", "transaction_id"}

// write encodes and sends an answer, with its fault.
func (f *Fake) write(w http.ResponseWriter, r *http.Request, answer reply) {
	f.mu.Lock()
	spelling := f.spelling
	f.mu.Unlock()
	if answer.before != nil {
		answer.before()
	}
	if answer.slow {
		fake.Pause(r, f.config.SlowFor)
	}
	var once fake.Plan // for this call only: no other call must get its fault
	once.HangFor = f.config.HangFor
	if answer.fault != "" {
		once.Add("", answer.fault)
	}
	once.Around("", func(w http.ResponseWriter, _ *http.Request) {
		status, body := answer.spell(spelling)
		fake.Answer(w, status, body)
	})(w, r)
}

func (answer reply) spell(spelling string) (int, map[string]any) {
	other := spelling == spellingOther
	if answer.framework {
		lists := map[string][]string{}
		for _, name := range answer.wrong {
			lists[name] = []string{"The " + name + " field is invalid."}
		}
		return http.StatusUnprocessableEntity,
			map[string]any{"message": "The given data was invalid.", "errors": lists}
	}
	if answer.code != "" {
		return answer.spellError(other)
	}
	result := map[string]any{}
	for name, values := range answer.result {
		result[name] = values[0]
		if other && slices.Contains(numeric, name) {
			result[name] = number(values[0])
		}
		if spelling == spellingGrouped && name == "amount" {
			result[name] = Grouped(values[0])
		}
	}
	if other {
		result["trace"] = []string{"of no meaning"}
		return http.StatusOK, map[string]any{
			"status": "200", "result": result, "message": answer.message, "version": 2,
		}
	}
	return http.StatusOK, map[string]any{
		"status": http.StatusOK, "result": result, "message": answer.message,
	}
}

func (answer reply) spellError(other bool) (int, map[string]any) {
	status := statusOf(answer.code)
	e := map[string]any{"status": status, "code": answer.code, "message": "This is what went wrong."}
	if len(answer.wrong) > 0 {
		lists := map[string][]string{}
		for _, name := range answer.wrong {
			lists[name] = []string{"invalid"}
		}
		e["fields"] = lists
	}
	if !other {
		return status, map[string]any{"error": e}
	}
	e["status"], e["code"], e["trace"] = strconv.Itoa(status), strings.ToLower(answer.code), nil
	return http.StatusOK, map[string]any{"error": e, "version": 2}
}
