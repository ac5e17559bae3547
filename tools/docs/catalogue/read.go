package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// event is an event of the sealed set, with every version ever stored.
type event struct {
	name     string // as stored
	meaning  string
	versions []version
}

type version struct {
	number int
	fields []field
}

type field struct{ name, form, meaning string }

// source is what the code of one package declares.
type source struct {
	types     map[string]*ast.TypeSpec
	comments  map[string]string // of types
	functions map[string]*ast.FuncDecl
	texts     map[string]string // string constants
	stored    []*ast.FuncDecl   // the methods named stored, which define how an event is written
}

func readPackage(dir string) (source, error) {
	s := source{
		types: map[string]*ast.TypeSpec{}, comments: map[string]string{},
		functions: map[string]*ast.FuncDecl{}, texts: map[string]string{},
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return s, err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return s, fmt.Errorf("parse %s: %w", file, err)
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				s.functions[d.Name.Name] = d
				if d.Recv != nil && d.Name.Name == "stored" {
					s.stored = append(s.stored, d)
				}
			case *ast.GenDecl:
				s.declare(d)
			}
		}
	}
	return s, nil
}

func (s source) declare(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.types[spec.Name.Name] = spec
			s.comments[spec.Name.Name] = spec.Doc.Text()
			if spec.Doc == nil {
				s.comments[spec.Name.Name] = d.Doc.Text()
			}
		case *ast.ValueSpec:
			for n, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					s.texts[spec.Names[n].Name], _ = strconv.Unquote(literal.Value) // the parser has accepted it
				}
			}
		}
	}
}

var structForm = regexp.MustCompile(`^([a-z]\w*)V(\d+)$`)

// events reads the methods stored: under which name and from which struct each event is stored.
func (s source) events() (all []event, err error) {
	if len(s.stored) == 0 {
		return nil, errors.New("no event has a method stored")
	}
	for _, method := range s.stored {
		e, err := s.event(method)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func (s source) event(method *ast.FuncDecl) (event, error) {
	goType := nameOf(method.Recv.List[0].Type)
	answer, ok := method.Body.List[len(method.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(answer.Results) != 3 {
		return event{}, fmt.Errorf("%s: stored returns no name, version and fields", goType)
	}
	e := event{name: s.texts[nameOf(answer.Results[0])], meaning: meaning(s.comments[goType], goType)}
	if itself(method, answer.Results[2]) && e.name != "" && e.meaning != "" {
		fields, err := s.fields(goType)
		e.versions = []version{{number: 1, fields: fields}}
		return e, err
	}
	form := structForm.FindStringSubmatch(s.structOf(answer.Results[2]))
	if e.name == "" || e.meaning == "" || form == nil {
		return e, fmt.Errorf("%s: its stored name, comment or struct is missing", goType)
	}
	for name := range maps.Keys(s.types) {
		other := structForm.FindStringSubmatch(name)
		if len(other) == 0 || other[1] != form[1] {
			continue
		}
		number, err := strconv.Atoi(other[2])
		if err != nil {
			return e, err
		}
		fields, err := s.fields(name)
		if err != nil {
			return e, err
		}
		e.versions = append(e.versions, version{number: number, fields: fields})
	}
	slices.SortFunc(e.versions, func(a, b version) int { return a.number - b.number })
	return e, nil
}

// itself reports whether a method returns its receiver: the event is stored as it is, in one version.
func itself(method *ast.FuncDecl, x ast.Expr) bool {
	names := method.Recv.List[0].Names
	return len(names) == 1 && nameOf(x) == names[0].Name
}

// structOf returns the struct type that an expression creates: a literal, a conversion, or a call
// of a function of the package.
func (s source) structOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.CompositeLit:
		return nameOf(x.Type)
	case *ast.CallExpr:
		called := nameOf(x.Fun)
		if f, ok := s.functions[called]; ok && f.Type.Results != nil {
			return nameOf(f.Type.Results.List[0].Type)
		}
		return called
	}
	return ""
}

// fields reads a struct. Each field needs a comment.
func (s source) fields(of string) ([]field, error) {
	spec, ok := s.types[of]
	if !ok {
		return nil, fmt.Errorf("there is no type %s", of)
	}
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil, fmt.Errorf("%s is no struct", of)
	}
	var all []field
	for _, f := range structure.Fields.List {
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of, err)
		}
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		form, known := forms[nameOf(f.Type)]
		comment := strings.Join(strings.Fields(f.Doc.Text()), " ")
		if name == "" || !known || comment == "" {
			return nil, fmt.Errorf("%s.%s: its name in JSON, a form for %s, or its comment is missing",
				of, f.Names[0].Name, nameOf(f.Type))
		}
		all = append(all, field{name, form, comment})
		element, isArray := f.Type.(*ast.ArrayType)
		if !isArray {
			continue
		}
		parts, err := s.fields(nameOf(element.Elt))
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			all = append(all, field{name + "[]." + p.name, p.form, p.meaning})
		}
	}
	return all, nil
}

// forms are the JSON types of the fields' types.
var forms = map[string]string{
	"time.Time":        "time, RFC 3339 in UTC",
	"uuid.UUID":        "uuid",
	"*uuid.UUID":       "uuid or null",
	"string":           "string",
	"*string":          "string or null",
	"int64":            "integer",
	"*int64":           "integer or null",
	"bool":             "boolean",
	"Metadata":         "object of strings, or null",
	"[]DayMethod":      "array of objects",
	"[]Share":          "array of objects",
	"[]Taken":          "array of objects",
	"domain.AttemptID": "string",
	"domain.Currency":  "string",
	"domain.Day":       "day, such as 2026-11-20",
	"domain.Mode":      "string",
}

func nameOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return "*" + nameOf(x.X)
	case *ast.ArrayType:
		return "[]" + nameOf(x.Elt)
	case *ast.SelectorExpr:
		return nameOf(x.X) + "." + x.Sel.Name
	}
	return ""
}

// meaning is a type's comment without the name of the type: of "Expired says that
// the time ran out." it leaves "The time ran out.", for readers of JSON.
func meaning(comment, subject string) string {
	text := strings.Join(strings.Fields(comment), " ")
	if rest, ok := strings.CutPrefix(text, subject+" says that "); ok {
		text = rest
	} else if rest, ok := strings.CutPrefix(text, subject+" is "); ok {
		text = rest
	}
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
