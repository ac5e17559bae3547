package projections

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/plaintext"
)

// maxWords is how many words of a text narrow what is found; those behind them do not.
const maxWords = 8

// currencies are words that stand beside an amount and say nothing.
var currencies = []string{"lyd", "dinar", "dinars", "دينار", "دينارا", "دنانير", "د.ل", "د.ل."}

// textQuery is a text as all that it may be. A query is a tsquery of terms; one that belongs to a
// name is of the other words of the text, and empty where there are none.
type textQuery struct {
	texts        []string // the whole, as customers and merchants may have it
	applications []domain.ApplicationID

	query string // what is found by terms

	ids              []domain.IntentID
	ranks            []int32
	idQueries        []string
	references       []string
	referenceQueries []string
	customers        []int64
	customerQueries  []string
}

// empty says that there is nothing to be found by terms or customers.
func (w *textQuery) empty() bool { return w.query == "" }

const namespacesSQL = `SELECT uuid, namespace FROM applications WHERE organization_uuid = $1 AND ($2::uuid IS NULL OR uuid = $2)`

func (p *Payments) readText(ctx context.Context, organization uuid.UUID, text string,
	of *domain.ApplicationID,
) (textQuery, error) {
	w := textQuery{texts: spellings(text)}
	namespaces := make(map[domain.ApplicationID]domain.Namespace)
	rows, err := p.q.Query(ctx, namespacesSQL, organization, of)
	if err != nil {
		return textQuery{}, err
	}
	var application domain.ApplicationID
	var namespace domain.Namespace
	_, err = pgx.ForEachRow(rows, []any{&application, &namespace}, func() error {
		w.applications = append(w.applications, application)
		namespaces[application] = namespace
		return nil
	})
	words := wordsOf(text)
	if err != nil || len(words) == 0 {
		return w, err
	}
	w.query = w.terms(text, words)
	w.name(namespaces, w.texts, nil)
	if len(words) > 1 || !slices.Contains(w.texts, words[0]) {
		for n, word := range words {
			w.name(namespaces, []string{word}, slices.Concat(words[:n], words[n+1:]))
		}
	}
	return w, nil
}

// name has a name looked for that may be written in several ways, narrowed by other words.
func (w *textQuery) name(namespaces map[domain.ApplicationID]domain.Namespace, written, others []string) {
	anywhere := ""
	if len(others) > 0 {
		anywhere = w.terms("", others)
	}
	if id, err := domain.ParseIntentID(strings.TrimSpace(written[0])); err == nil {
		w.ids, w.ranks, w.idQueries = append(w.ids, id), append(w.ranks, 0), append(w.idQueries, anywhere)
	}
	if reference := referenceIn(written[0]); len(reference) == referenceChars {
		w.references, w.referenceQueries = append(w.references, string(reference)),
			append(w.referenceQueries, anywhere)
	}
	for _, application := range w.applications {
		beside := ""
		if len(others) > 0 {
			beside = termsOf(application, others)
		}
		for _, text := range written {
			// The id of an intent is a function of its name, so no index is needed.
			id := namespaces[application].IntentID(domain.MerchantReference(text))
			w.ids, w.ranks, w.idQueries = append(w.ids, id), append(w.ranks, 2), append(w.idQueries, beside)
			w.customers, w.customerQueries = append(w.customers, *customerKeyOf(application, &text)),
				append(w.customerQueries, beside)
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

// phone is a phone number that ends in four digits that are shown: all of it, masked, or those.
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

// wordsOf are the words of a text that say something.
func wordsOf(text string) []string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // marks of direction, which come along when a number is copied
			return -1
		}
		return r
	}, text))
	if telling := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.Contains(currencies, strings.ToLower(word))
	}); len(telling) > 0 {
		words = telling
	}
	return words[:min(len(words), maxWords)]
}

// spellings are the text as it is and without the blanks that come along when it
// is copied.
func spellings(text string) []string {
	if trimmed := strings.TrimSpace(text); trimmed != text {
		return []string{text, trimmed}
	}
	return []string{text}
}

// referenceIn is the reference as people type it: in capitals, in groups, with
// letters that look like digits, which Crockford's alphabet leaves out, or with
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
