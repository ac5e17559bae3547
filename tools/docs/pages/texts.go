package main

import (
	"reflect"

	"daftar/internal/locale"
)

// texts are the words around the descriptions, which are in English.
type texts struct {
	Title, Description           string // of the reference
	Base, Files, OpenAPI         string
	Postman, InEnglish           string
	OnThisPage                   string
	Code, Copy, Copied           string
	Contents, Webhooks, Sent     string
	Secured, Open                string
	Parameters, Body, Answers    string
	Headers, Fields, Examples    string
	Required, Optional           string
	InPath, InQuery, InHeader    string
	Format, Const, Enum          string
	Minimum, Maximum             string
	MinLength, MaxLength         string
	MinProperties, MaxProperties string
	MinItems, MaxItems           string
	Pattern                      string
	KeyLength, ValueLength       string
}

var arabic = texts{
	Title: "مرجع الواجهة", Description: "كل مسار وحقل وجواب من واجهة «دفتر» البرمجية، بأمثلة، ومعها الإشعارات.",
	Base: "عنوان الواجهة", Files: "ملفات", OpenAPI: "وصف OpenAPI 3.1", Postman: "مجموعة Postman",
	InEnglish:  "أوصاف الحقول بالإنجليزية، كما هي في ملف OpenAPI الذي تُختبر به الواجهة نفسها.",
	OnThisPage: "في هذه الصفحة", Code: "شيفرة", Copy: "انسخ", Copied: "تم النسخ.",
	Contents: "الطلبات", Webhooks: "الإشعارات", Sent: "نرسله نحن إلى عنوان الإشعارات الخاص بتطبيقك، موقَّعًا بسرّه.",
	Secured: "يلزم رمز الوصول ومفتاح API.", Open: "لا يلزم مفتاح.",
	Parameters: "المعاملات", Body: "حقول الطلب", Answers: "الأجوبة", Headers: "ترويسات", Fields: "حقول الجواب", Examples: "مثال",
	Required: "لازم", Optional: "اختياري",
	InPath: "في المسار", InQuery: "في الاستعلام", InHeader: "ترويسة",
	Format: "الصيغة", Const: "دائمًا", Enum: "إحدى القيم", Minimum: "لا يقل عن", Maximum: "لا يزيد على",
	MinLength: "أقل طول", MaxLength: "أقصى طول", MinProperties: "أقل عدد", MaxProperties: "أقصى عدد للمفاتيح",
	MinItems: "أقل عدد", MaxItems: "أقصى عدد", Pattern: "يطابق", KeyLength: "أقصى طول للمفتاح", ValueLength: "أقصى طول للقيمة",
}

var english = texts{
	Title: "API reference", Description: "Every path, field and answer of Daftar's API, with examples, and the webhooks.",
	Base: "Base URL", Files: "Files", OpenAPI: "OpenAPI 3.1 document", Postman: "Postman collection",
	InEnglish:  "It is made from the OpenAPI document by which the API itself is tested.",
	OnThisPage: "On this page", Code: "Code", Copy: "Copy", Copied: "Copied.",
	Contents: "Requests", Webhooks: "Webhooks", Sent: "Sent by us to your application's webhook URL, signed with its secret.",
	Secured: "Needs an access token and an API key.", Open: "Needs no credential.",
	Parameters: "Parameters", Body: "Fields of the request", Answers: "Answers", Headers: "Headers", Fields: "Fields of the answer", Examples: "Example",
	Required: "required", Optional: "optional",
	InPath: "in the path", InQuery: "in the query", InHeader: "header",
	Format: "format", Const: "always", Enum: "one of", Minimum: "at least", Maximum: "at most",
	MinLength: "least length", MaxLength: "greatest length", MinProperties: "least number", MaxProperties: "greatest number of keys",
	MinItems: "least number", MaxItems: "greatest number", Pattern: "matches", KeyLength: "greatest length of a key", ValueLength: "greatest length of a value",
}

// marks stand in the reference for its words: each is the name of its field.
var marks = func() (t texts) {
	for field, value := range reflect.ValueOf(&t).Elem().Fields() {
		value.SetString(mark(field.Name))
	}
	return t
}()

// mark is what stands in a document for a word, or for the types of webhooks. The server
// knows the form.
func mark(name string) string { return "⟦" + name + "⟧" }

// wordsOf are the words by the names of their marks.
func wordsOf(arabic, english texts) map[string]locale.Text {
	all := map[string]locale.Text{}
	other := reflect.ValueOf(english)
	for field, value := range reflect.ValueOf(arabic).Fields() {
		all[field.Name] = locale.Text{Arabic: value.String(), English: other.FieldByIndex(field.Index).String()}
	}
	return all
}

// Rule is what a constraint is called.
func (t texts) Rule(name string) string {
	return map[string]string{
		"format": t.Format, "const": t.Const, "enum": t.Enum, "minimum": t.Minimum, "maximum": t.Maximum,
		"minLength": t.MinLength, "maxLength": t.MaxLength, "minProperties": t.MinProperties, "maxProperties": t.MaxProperties,
		"minItems": t.MinItems, "maxItems": t.MaxItems, "pattern": t.Pattern, "keyLength": t.KeyLength, "valueLength": t.ValueLength,
	}[name]
}

// Place is where a parameter stands.
func (t texts) Place(in string) string {
	return map[string]string{"path": t.InPath, "query": t.InQuery, "header": t.InHeader}[in]
}

// Need says whether a field may be left out.
func (t texts) Need(required bool) string {
	if required {
		return t.Required
	}
	return t.Optional
}
