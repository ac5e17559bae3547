package projections

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"daftar/domain"
	"daftar/facts"
	"daftar/internal/plaintext"
)

// A term is a search key of a payment in the column terms and its index: a short
// digest of the application, of the kind of the term, and of a text. So a search in the index
// over all organisations reads nothing of others, and the index has no plain text. With ten
// million texts, one of some thousand look-ups finds one payment too many, because two texts
// have the same digest.
const termChars = 6

// The kinds of terms.
const (
	termAmount            = 'a'
	termPhone             = 'p' // the last four digits of the payer's
	termProviderReference = 'r'
	termWord              = 'w' // of the description
)

// maxTerms bounds the words of a description that are terms.
const maxTerms = 12

// phoneDigits is how much of a payer's phone number is a term.
const phoneDigits = 4

func termOf(application domain.ApplicationID, kind byte, text string) string {
	digest := sha256.Sum256(append(append(application[:], kind), text...))
	return base64.RawURLEncoding.EncodeToString(digest[:5])[:termChars]
}

func amountTerm(application domain.ApplicationID, m domain.Money) string {
	return termOf(application, termAmount, string(m.Currency)+strconv.FormatInt(m.Minor, 10))
}

// termsIn are the terms that an event adds to a payment.
func termsIn(application domain.ApplicationID, event domain.Event, details facts.Details) []string {
	if e, created := event.(domain.Created); created {
		terms := []string{amountTerm(application, e.Amount)}
		for _, word := range wordsIn(e.Description) {
			if terms = append(terms, termOf(application, termWord, word)); len(terms) > maxTerms {
				break
			}
		}
		return terms
	}
	if digits := lastDigits(details.Payer); digits != "" {
		return []string{termOf(application, termPhone, digits)}
	}
	return providerTerms(application, details.ProviderReference)
}

func providerTerms(application domain.ApplicationID, reference string) []string {
	if reference = providerReference(reference); reference == "" {
		return nil
	}
	return []string{termOf(application, termProviderReference, reference)}
}

// providerReference is an acquirer's reference in any case and with any blanks.
func providerReference(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.Map(plaintext.LatinDigit, text)), ""))
}

// lastDigits are the last four digits of a phone number, masked or not; empty where it ends
// in fewer.
func lastDigits(phone string) string {
	if len(phone) < phoneDigits {
		return ""
	}
	last := phone[len(phone)-phoneDigits:]
	if strings.ContainsFunc(last, func(r rune) bool { return r < '0' || r > '9' }) {
		return ""
	}
	return last
}

// addTerms adds terms to those of a row, which are sorted and without duplicates.
func addTerms(terms string, more []string) string {
	if len(more) == 0 {
		return terms
	}
	all := append(strings.Fields(terms), more...)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// articles are the Arabic articles that are written together with the word after them.
var articles = []string{"وال", "بال", "لل", "ال"}

// arabicLetters are letters that people write in more than one way.
var arabicLetters = strings.NewReplacer(
	"أ", "ا", "إ", "ا", "آ", "ا", "ٱ", "ا",
	"ى", "ي", "ة", "ه", "ؤ", "و", "ئ", "ي", "ـ", "",
)

// wordsIn are the words of a text in the form in which they are compared: lower case, without
// vowel signs and articles, each once.
func wordsIn(text string) []string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(plaintext.LatinDigit(r))
	}, text)
	words := strings.FieldsFunc(arabicLetters.Replace(plain), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	var all []string
	for _, word := range words {
		for _, article := range articles {
			const stem = 3 // letters; a shorter word may begin like that itself
			if rest, found := strings.CutPrefix(word, article); found && len([]rune(rest)) >= stem {
				word = rest
				break
			}
		}
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}
