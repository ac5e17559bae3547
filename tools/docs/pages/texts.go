package main

import (
	"reflect"

	"daftar/internal/locale"
)

// texts are the words around the descriptions, which are in English. A text is a field and one
// entry of textsIn.
type texts struct {
	Title, Description           string // of the reference
	Base, Files, OpenAPI         string
	Postman, InEnglish           string
	OnThisPage                   string
	Code, Copy, Copied           string
	Contents, Webhooks, Sent     string
	Secured, Open                string
	Samples, SamplesRun          string
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

func textsIn(say locale.Say) texts {
	return texts{
		Title: say("مرجع الواجهة", "API reference"),
		Description: say("كل مسار وحقل وجواب من واجهة «دفتر» البرمجية، بأمثلة، ومعها الإشعارات.",
			"Every path, field and answer of Daftar's API, with examples, and the webhooks."),
		Base: say("عنوان الواجهة", "Base URL"), Files: say("ملفات", "Files"),
		OpenAPI: say("وصف OpenAPI 3.1", "OpenAPI 3.1 document"),
		Postman: say("مجموعة Postman", "Postman collection"),
		InEnglish: say("أوصاف الحقول بالإنجليزية، كما هي في ملف OpenAPI الذي تُختبر به الواجهة نفسها.",
			"It is made from the OpenAPI document by which the API itself is tested."),
		OnThisPage: say("في هذه الصفحة", "On this page"),
		Code:       say("شيفرة", "Code"), Copy: say("انسخ", "Copy"), Copied: say("تم النسخ.", "Copied."),
		Contents: say("الطلبات", "Requests"), Webhooks: say("الإشعارات", "Webhooks"),
		Sent: say("نرسله نحن إلى عنوان الإشعارات الخاص بتطبيقك، موقَّعًا بسرّه.",
			"Sent by us to your application's webhook URL, signed with its secret."),
		Secured: say("يلزم رمز الوصول ومفتاح API.", "Needs an access token and an API key."),
		Open:    say("لا يلزم مفتاح.", "Needs no credential."),
		Samples: say("أمثلة برمجية جاهزة", "Ready-to-run code"),
		SamplesRun: say("لكل طلب أمثلة برمجية جاهزة بـ curl وPHP وTypeScript وPython وGo، "+
			"تقرأ بيانات الدخول من متغيرات البيئة كما في البداية السريعة. "+
			"وما يُعرض من برامج Go هو ما في main. والبرامج كاملة في",
			"Each request has ready-to-run code in curl, PHP, TypeScript, Python and Go. It takes the credentials "+
				"from the environment, as in the quick start. Of programs in Go you see what main does. The whole "+
				"programs are in"),
		Parameters: say("المعاملات", "Parameters"),
		Body:       say("حقول الطلب", "Fields of the request"),
		Answers:    say("الأجوبة", "Answers"), Headers: say("ترويسات", "Headers"),
		Fields:   say("حقول الجواب", "Fields of the answer"),
		Examples: say("مثال", "Example"), Required: say("لازم", "required"), Optional: say("اختياري", "optional"),
		InPath: say("في المسار", "in the path"), InQuery: say("في الاستعلام", "in the query"),
		InHeader: say("ترويسة", "header"), Format: say("الصيغة", "format"), Const: say("دائمًا", "always"),
		Enum: say("إحدى القيم", "one of"), Minimum: say("لا يقل عن", "at least"),
		Maximum: say("لا يزيد على", "at most"), MinLength: say("أقل طول", "least length"),
		MaxLength: say("أقصى طول", "greatest length"), MinProperties: say("أقل عدد", "least number"),
		MaxProperties: say("أقصى عدد للمفاتيح", "greatest number of keys"),
		MinItems:      say("أقل عدد", "least number"), MaxItems: say("أقصى عدد", "greatest number"),
		Pattern:     say("يطابق", "matches"),
		KeyLength:   say("أقصى طول للمفتاح", "greatest length of a key"),
		ValueLength: say("أقصى طول للقيمة", "greatest length of a value"),
	}
}

// marks are the placeholders for the words in the reference: each is the name of its field.
var marks = func() (t texts) {
	for field, value := range reflect.ValueOf(&t).Elem().Fields() {
		value.SetString(mark(field.Name))
	}
	return t
}()

// mark returns the placeholder in a document for a word, or for the types of webhooks. The server
// knows the form.
func mark(name string) string { return "⟦" + name + "⟧" }

// wordsOf returns the words by the names of their placeholders.
func wordsOf(arabic, english texts) map[string]locale.Text {
	all := map[string]locale.Text{}
	other := reflect.ValueOf(english)
	for field, value := range reflect.ValueOf(arabic).Fields() {
		all[field.Name] = locale.Text{Arabic: value.String(), English: other.FieldByIndex(field.Index).String()}
	}
	return all
}

// Rule returns the name of a constraint.
func (t texts) Rule(name string) string {
	return map[string]string{
		"format": t.Format, "const": t.Const, "enum": t.Enum, "pattern": t.Pattern,
		"minimum": t.Minimum, "maximum": t.Maximum,
		"minLength": t.MinLength, "maxLength": t.MaxLength,
		"minProperties": t.MinProperties, "maxProperties": t.MaxProperties,
		"minItems": t.MinItems, "maxItems": t.MaxItems,
		"keyLength": t.KeyLength, "valueLength": t.ValueLength,
	}[name]
}

// Place returns the location of a parameter.
func (t texts) Place(in string) string {
	return map[string]string{"path": t.InPath, "query": t.InQuery, "header": t.InHeader}[in]
}

// Need returns a word for whether a field may be left out.
func (t texts) Need(required bool) string {
	if required {
		return t.Required
	}
	return t.Optional
}
