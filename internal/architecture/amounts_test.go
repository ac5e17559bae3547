package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every reader takes 45000 LYD for forty-five thousand dinars, where 45.000 was meant: a number of
// minor units is never written next to its currency. domain.Money writes both.
func TestNoMinorUnitsNextToACurrency(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, at := range minorUnits(s.syntax) {
			t.Errorf("%s: minor units next to a currency; print the domain.Money", s.files.Position(at))
		}
	}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() != ".." && notOurs(entry.Name()):
			return fs.SkipDir
		case !strings.HasSuffix(file, ".html"):
			return nil
		}
		text, err := os.ReadFile(file)
		if found := minorInTemplate.Find(text); found != nil {
			t.Errorf("%s: %s", file, found)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// The test finds what it is for, and nothing else.
func TestMinorUnitsAreFound(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		`fmt.Sprintf("%d %s under %q", p.Money.Minor, p.Money.Currency, r)`:                                1,
		`fmt.Sprintf("%s: %d %s and %v (%s)", x, a.Minor, a.Currency, int64(b.Minor), string(b.Currency))`: 2,

		`fmt.Errorf("%d LYD", amount)`:                                      1,
		`fmt.Sprintf("%d د.ل", n)`:                                          1,
		`fmt.Println(m.Minor, m.Currency)`:                                  1,
		`strconv.FormatInt(m.Minor, 10) + " " + string(m.Currency)`:         1,
		`strconv.Itoa(int(e.Amount)) + e.Currency`:                          1,
		`fmt.Fprintf(w, "%5d\u00a0%s", e.Amount, e.Currency)`:               1,
		`log.Str("money", fmt.Sprint(e.Amount, " ", e.Currency))`:           1,
		`fmt.Sprintf("%s %s", m, reference)`:                                0,
		`fmt.Sprintf("at least %d (%s)", least.Minor, least)`:               0,
		`fmt.Sprintf("%d of the smallest unit of %q", m.Minor, m.Currency)`: 0,
		`m.Figures() + " " + string(m.Currency)`:                            0,
		`fmt.Sprintf("%d%% of %s", share, e.Currency)`:                      0,
		`domain.Money{Minor: n, Currency: domain.LYD}.String()`:             0,
	} {
		expr, err := parser.ParseExpr(code)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(minorUnits(expr)); got != want {
			t.Errorf("%s: found %d, want %d", code, got, want)
		}
	}
	if !minorInTemplate.MatchString(`<b>{{.Sum.Minor}}</b> <small>{{.Sum.Currency}}</small>`) ||
		minorInTemplate.MatchString(`{{if .Sum.Minor}}{{amount .Lang .Sum}}{{end}}`) {
		t.Error("minor units in templates are not found, or found where there are none")
	}
}

var (
	minorInTemplate = regexp.MustCompile(
		`\{\{[^}]*\.(?:Minor|Amount)\s*\}\}(?:\s|&nbsp;|<[^>]*>)*\{\{[^}]*Currency`)
	verbs          = regexp.MustCompile(`%[-+# 0]*[0-9]*(?:\.[0-9]+)?([a-zA-Z%])`)
	currencyText   = regexp.MustCompile(`^[\s\x{a0}(]*(?:LYD\b|د\.ل|dinars?\b)`)
	nothingBetween = regexp.MustCompile(`^[\s\x{a0}(]*$`)
)

// minorUnits are the places where a number of minor units is printed next to a currency.
func minorUnits(n ast.Node) (found []token.Pos) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if minorInCall(n) > 0 {
				for range minorInCall(n) {
					found = append(found, n.Pos())
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.ADD && adjacent(summands(n)) > 0 {
				found = append(found, n.Pos())
				return false
			}
		}
		return true
	})
	return found
}

func minorInCall(call *ast.CallExpr) (found int) {
	name := lastName(call.Fun)
	prints := strings.HasPrefix(name, "Sprint") || strings.HasPrefix(name, "Print") ||
		strings.HasPrefix(name, "Fprint")
	if prints && !strings.HasSuffix(name, "f") {
		return adjacent(call.Args)
	}
	for k, arg := range call.Args {
		format, is := text(arg)
		if !is || !strings.Contains(format, "%") {
			continue
		}
		places := verbs.FindAllStringSubmatchIndex(format, -1)
		n := k
		for p, place := range places {
			verb := format[place[2]:place[3]]
			if verb == "%" {
				continue
			}
			if n++; n >= len(call.Args) {
				break
			}
			after := format[place[1]:]
			if verb == "d" && currencyText.MatchString(after) {
				found++
			} else if p+1 < len(places) && n+1 < len(call.Args) &&
				nothingBetween.MatchString(format[place[1]:places[p+1][0]]) &&
				(verb == "d" || verb == "v") &&
				isMinor(call.Args[n]) && isCurrency(call.Args[n+1]) {
				found++
			}
		}
	}
	return found
}

// adjacent counts the numbers that a currency follows, with nothing but spaces in between.
func adjacent(parts []ast.Expr) (found int) {
	for n, part := range parts {
		if !isMinor(part) {
			continue
		}
		for _, next := range parts[n+1:] {
			if between, is := text(next); is && nothingBetween.MatchString(between) {
				continue
			}
			if isCurrency(next) {
				found++
			}
			break
		}
	}
	return found
}

func summands(e ast.Expr) []ast.Expr {
	if sum, is := e.(*ast.BinaryExpr); is && sum.Op == token.ADD {
		return append(summands(sum.X), summands(sum.Y)...)
	}
	return []ast.Expr{e}
}

func text(e ast.Expr) (string, bool) {
	literal, is := e.(*ast.BasicLit)
	if !is || literal.Kind != token.STRING {
		return "", false
	}
	said, err := strconv.Unquote(literal.Value)
	return said, err == nil
}

// lastName is the name of an expression: Minor of a.Money.Minor.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.ParenExpr:
		return lastName(e.X)
	case *ast.StarExpr:
		return lastName(e.X)
	}
	return ""
}

// valueName is lastName in lower case, also of an argument of a conversion or of a call such as
// strconv.FormatInt.
func valueName(e ast.Expr) string {
	if call, is := e.(*ast.CallExpr); is && len(call.Args) > 0 {
		return valueName(call.Args[0])
	}
	return strings.ToLower(lastName(e))
}

func isMinor(e ast.Expr) bool {
	name := valueName(e)
	return strings.HasSuffix(name, "minor") || strings.HasSuffix(name, "amount")
}

func isCurrency(e ast.Expr) bool {
	said, is := text(e)
	return is && currencyText.MatchString(said) ||
		strings.HasSuffix(valueName(e), "currency") || valueName(e) == "lyd"
}
