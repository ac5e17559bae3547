package projections

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
)

// maxWords is how many words of a text are used; further words are ignored.
const maxWords = 8

// currencies are words next to an amount that are ignored.
var currencies = []string{"lyd", "dinar", "dinars", "دينار", "دينارا", "دنانير", "د.ل", "د.ل."}

// textQuery has all meanings that a text may have. A query is a tsquery of terms; that of a
// name has the other words of the text, and is empty if there are none.
type textQuery struct {
	texts        []string // the whole text, as a customer's identifier or a merchant reference
	applications []domain.ApplicationID
	namespaces   []domain.Namespace // of the applications

	query string // the text as terms

	ids              []domain.IntentID
	ranks            []int32
	idQueries        []string
	references       []string
	referenceQueries []string
	customers        []int64
	customerQueries  []string
}

// empty reports whether there is nothing to search for by terms or customers.
func (w *textQuery) empty() bool { return w.query == "" }

const applicationsSQL = `
SELECT array_agg(uuid), array_agg(namespace)
FROM applications
WHERE organization_uuid = $1
  AND mode = $2
  AND ($3::uuid IS NULL OR uuid = $3)`

// applications is a query without a text in the tenant's applications, or in one of them.
func (p *Payments) applications(
	ctx context.Context, tenant domain.Tenant, of *domain.ApplicationID,
) (textQuery, error) {
	scan := func(row pgx.CollectableRow) (w textQuery, err error) {
		err = row.Scan(&w.applications, &w.namespaces)
		return w, err
	}
	return postgres.Find(ctx, p.q, "read applications", nil, scan, applicationsSQL,
		tenant.Organization, tenant.Mode, of)
}

func (p *Payments) readText(
	ctx context.Context, tenant domain.Tenant, text string, of *domain.ApplicationID,
) (textQuery, error) {
	w, err := p.applications(ctx, tenant, of)
	w.texts = spellings(text)
	words := wordsOf(text)
	if err != nil || len(words) == 0 {
		return w, err
	}
	w.query = w.terms(text, words)
	w.addName(w.texts, nil)
	if len(words) > 1 || !slices.Contains(w.texts, words[0]) {
		for n, word := range words {
			w.addName([]string{word}, slices.Concat(words[:n], words[n+1:]))
		}
	}
	return w, nil
}

// addName adds a look-up of a name that may be written in several ways, narrowed by other words.
func (w *textQuery) addName(written, others []string) {
	anywhere := ""
	if len(others) > 0 {
		anywhere = w.terms("", others)
	}
	if id, err := domain.ParseIntentID(strings.TrimSpace(written[0])); err == nil {
		w.ids, w.ranks, w.idQueries = append(w.ids, id), append(w.ranks, 0), append(w.idQueries, anywhere)
	}
	if reference := referenceIn(written[0]); len(reference) == referenceChars {
		w.references = append(w.references, string(reference))
		w.referenceQueries = append(w.referenceQueries, anywhere)
	}
	for n, application := range w.applications {
		rest := ""
		if len(others) > 0 {
			rest = termsOf(application, others)
		}
		for _, text := range written {
			// The id of an intent is a function of its name, so no index is needed.
			id := w.namespaces[n].IntentID(domain.MerchantReference(text))
			w.ids, w.ranks, w.idQueries = append(w.ids, id), append(w.ranks, 2), append(w.idQueries, rest)
			w.customers = append(w.customers, *customerKeyOf(application, &text))
			w.customerQueries = append(w.customerQueries, rest)
		}
	}
}

// referenceChars is how long a reference is.
const referenceChars = 10

// terms is the query of the terms of words, in any of the applications. The whole text may be
// an acquirer's reference with blanks in it.
func (w *textQuery) terms(whole string, words []string) string {
	var all []string
	for _, application := range w.applications {
		all = append(all, termsOf(application, words))
		if len(words) > 1 && whole != "" {
			all = append(all, quoted(providerTerms(application, whole)...)...)
		}
	}
	return strings.Join(all, " | ")
}

func termsOf(application domain.ApplicationID, words []string) string {
	all := make([]string, len(words))
	for n, word := range words {
		all[n] = "(" + strings.Join(possibleTerms(application, word), " | ") + ")"
	}
	return "(" + strings.Join(all, " & ") + ")"
}

func quoted(terms ...string) []string {
	all := make([]string, len(terms))
	for n, term := range terms {
		all[n] = "'" + term + "'"
	}
	return all
}

// phone matches a phone number that ends in four visible digits: the whole number, a masked one,
// or those digits.
var phone = regexp.MustCompile(`^(?:\+?[0-9]{5,}|[+0-9]*[•*xX.…-]+)?([0-9]{4})$`)

// possibleTerms are the terms that a word may be.
func possibleTerms(application domain.ApplicationID, word string) []string {
	var all []string
	latin := plaintext.LatinFigures(word)
	if m, err := domain.ParseMoney(latin, domain.LYD); err == nil {
		all = quoted(amountTerm(application, m))
	}
	if digits := phone.FindStringSubmatch(latin); digits != nil {
		all = append(all, quoted(termOf(application, termPhone, digits[1]))...)
	}
	all = append(all, quoted(providerTerms(application, word)...)...)
	var together []string
	for _, w := range wordsIn(word) {
		together = append(together, quoted(termOf(application, termWord, w))...)
	}
	if len(together) > 0 {
		all = append(all, "("+strings.Join(together, " & ")+")")
	}
	return all
}

// wordsOf are the words of a text that are searched for.
func wordsOf(text string) []string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // direction marks, which are copied together with a number
			return -1
		}
		return r
	}, text))
	others := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.Contains(currencies, strings.ToLower(word))
	})
	if len(others) > 0 {
		words = others
	}
	return words[:min(len(words), maxWords)]
}

// spellings are the text as it is, and without the blanks around it that are often copied with
// it.
func spellings(text string) []string {
	if trimmed := strings.TrimSpace(text); trimmed != text {
		return []string{text, trimmed}
	}
	return []string{text}
}

// referenceIn is the reference in a text that a person typed: in capitals, in groups, with
// letters that look like digits, which Crockford's alphabet does not have, or with
// Arabic or Persian digits.
func referenceIn(text string) domain.Reference {
	return domain.Reference(strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(" -–—_.\t\u00a0\u200e\u200f", r):
			return -1
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		}
		switch r = plaintext.LatinDigit(r); r {
		case 'o':
			return '0'
		case 'i', 'l':
			return '1'
		}
		return r
	}, text))
}
