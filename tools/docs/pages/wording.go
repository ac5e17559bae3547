package main

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"daftar/domain"
	"daftar/internal/locale"
)

// typeOf returns the type of a value in words: "string", or "string or null".
func (t texts) typeOf(schema node) string {
	words := map[string]string{
		"string": t.String, "integer": t.Integer, "boolean": t.Boolean, "object": t.Object, "array": t.Array,
		"null": t.Null,
	}
	n := schema.at("type")
	if n.Node == nil {
		return ""
	}
	if n.Kind == yaml.ScalarNode {
		return words[n.Value]
	}
	all := make([]string, 0, 2)
	for _, one := range n.items() {
		all = append(all, words[one.Value])
	}
	return strings.Join(all, t.Or)
}

// rules returns what limits a value, in words, as Markdown.
func (t texts) rules(name string, schema node) (all []string) {
	add := func(form string, values ...string) {
		for _, value := range values {
			form = strings.Replace(form, "#", value, 1)
		}
		all = append(all, form)
	}
	formats := map[string]string{"uuid": t.UUID, "date-time": t.Moment, "uri": t.URL}
	if form := formats[schema.text("format")]; form != "" {
		add(form)
	}
	values := schema.at("enum").items()
	if schema.has("const") {
		values = []node{schema.at("const")}
	}
	names := make([]string, len(values))
	for n, v := range values {
		names[n] = "`" + v.Value + "`"
	}
	switch len(values) {
	case 0:
		t.between(add, schema.text("minLength"), schema.text("maxLength"), t.LengthFromTo, t.LengthFrom, t.LengthTo)
	case 1:
		add(t.Always, names[0])
	default:
		add(t.OneOf, strings.Join(names, t.Comma))
	}
	low, high := schema.text("minimum"), schema.text("maximum")
	if name = name[strings.LastIndex(name, ".")+1:]; name == "amount" {
		low, high = t.money(low, high == ""), t.money(high, true)
	}
	t.between(add, low, high, t.FromTo, t.AtLeast, t.AtMost)
	t.between(add, schema.text("minItems"), schema.text("maxItems"), t.FromTo, t.ItemsFrom, t.ItemsTo)
	t.between(add, schema.text("minProperties"), schema.text("maxProperties"), t.FromTo, t.ItemsFrom, t.PairsTo)
	if key := schema.at("propertyNames").text("maxLength"); key != "" {
		add(t.PairLengths, key, schema.at("additionalProperties").text("maxLength"))
	}
	switch pattern := schema.text("pattern"); pattern {
	case "":
	case "^[A-Z]{3}$":
		add(t.Capitals)
	case "^[0-9]+$":
		add(t.Digits)
	default:
		add(t.Matches, pattern)
	}
	if schema.has("default") {
		add(t.Default, schema.text("default"))
	}
	return all
}

// between adds a range, or the one end of it that there is.
func (t texts) between(add func(string, ...string), low, high, both, from, to string) {
	switch {
	case low != "" && high != "":
		add(both, low, high)
	case low != "":
		add(from, low)
	case high != "":
		add(to, high)
	}
}

// money writes an amount in minor units as people do. All amounts of the API are in dinars.
func (t texts) money(minor string, label bool) string {
	n, err := strconv.ParseInt(minor, 10, 64)
	if err != nil {
		return minor
	}
	m := domain.Money{Minor: n, Currency: domain.LYD}
	if label {
		return locale.AmountText(t.lang, m)
	}
	return m.Figures()
}
