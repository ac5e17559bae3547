package main

// texts are the words around the descriptions, which are in English.
type texts struct {
	Contents                     string
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
	Contents: "الطلبات",
	Secured:  "يلزم رمز الوصول ومفتاح API.", Open: "لا يلزم مفتاح.",
	Parameters: "المعاملات", Body: "حقول الطلب", Answers: "الأجوبة", Headers: "ترويسات", Fields: "حقول الجواب", Examples: "مثال",
	Required: "لازم", Optional: "اختياري",
	InPath: "في المسار", InQuery: "في الاستعلام", InHeader: "ترويسة",
	Format: "الصيغة", Const: "دائمًا", Enum: "إحدى القيم", Minimum: "لا يقل عن", Maximum: "لا يزيد على",
	MinLength: "أقل طول", MaxLength: "أقصى طول", MinProperties: "أقل عدد", MaxProperties: "أقصى عدد للمفاتيح",
	MinItems: "أقل عدد", MaxItems: "أقصى عدد", Pattern: "يطابق", KeyLength: "أقصى طول للمفتاح", ValueLength: "أقصى طول للقيمة",
}

var english = texts{
	Contents: "Requests",
	Secured:  "Needs an access token and an API key.", Open: "Needs no credential.",
	Parameters: "Parameters", Body: "Fields of the request", Answers: "Answers", Headers: "Headers", Fields: "Fields of the answer", Examples: "Example",
	Required: "required", Optional: "optional",
	InPath: "in the path", InQuery: "in the query", InHeader: "header",
	Format: "format", Const: "always", Enum: "one of", Minimum: "at least", Maximum: "at most",
	MinLength: "least length", MaxLength: "greatest length", MinProperties: "least number", MaxProperties: "greatest number of keys",
	MinItems: "least number", MaxItems: "greatest number", Pattern: "matches", KeyLength: "greatest length of a key", ValueLength: "greatest length of a value",
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
