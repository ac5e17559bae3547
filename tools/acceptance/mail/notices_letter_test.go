package mail_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"daftar/notices"
	"daftar/tools/acceptance/smtptest"
)

// letter is what a mail to a member tells.
type letter struct {
	addressee

	summary string // the day of a summary; empty: it is none
	told    tally
	bytes   int
	text    string
}

// one are what mails in English call one of a kind.
var one = map[string]notices.Kind{
	"Payment received": notices.Paid, "Payment received late": notices.Late, "Paid twice": notices.Duplicate,
	"Refund failed": notices.RefundFailed, "Payment outcome unknown for an hour": notices.UnknownPayment,
}

var (
	// rowLine is a row of a table: a name, how many there are and, after some, their sum.
	rowLine   = regexp.MustCompile(`^(.+): (?:(\d+) · )?\x{2068}(.+)\x{2069}$`)
	titleLine = regexp.MustCompile(`^(.+): (\d+)$`)
	amount    = regexp.MustCompile(`([\d,]+\.\d{3})\x{a0}LYD`)
	restLine  = regexp.MustCompile(`^More in the dashboard: (\d+)$`)
	itemLine  = regexp.MustCompile(`^\x{2068}[\d,]+\.\d{3}\x{a0}LYD\x{2069}$`)
)

// take keeps a mail that came, and checks what holds for every one.
func (n *news) take(m smtptest.Mail) {
	n.t.Helper()
	n.times++
	end := oneClick(n.t, m)
	to, known := n.addressees[end]
	if !known || len(m.To) != 1 || m.To[0] != to.email {
		n.t.Errorf("a mail to %s is ended by %s, which is %+v's", m.To, end, to)
	}
	for _, text := range []string{m.Subject, m.Text, m.HTML, string(m.Data)} {
		if strings.Contains(strings.ToLower(text), canary) || strings.Contains(text, number) {
			n.t.Errorf("a mail has what is the payer's or the merchant's own:\n%s", text)
		}
	}
	parts := strings.Split(m.Text, "\n----\n\n")
	if len(parts) != 2 {
		n.t.Fatalf("a mail in %d languages:\n%s", len(parts), m.Text)
	}
	l := letter{addressee: to, told: tally{}, bytes: len(m.Data), text: m.Text}
	l.read(n.t, strings.Split(parts[1], "\n"))
	arabic, english := rows(parts[0]), rows(parts[1])
	for i, r := range english {
		if _, means := one[r.name]; means || amount.FindString(r.value) == "" {
			continue // it is in words
		}
		figures := strings.ReplaceAll(r.value, "LYD", "د.ل")
		inHTML := strings.Contains(m.HTML, "<bdi>"+r.value+"</bdi>") &&
			strings.Contains(m.HTML, "<bdi>"+figures+"</bdi>")
		if len(arabic) != len(english) || arabic[i].value != figures || arabic[i].count != r.count || !inHTML {
			n.t.Errorf("the languages differ, or text and HTML:\n%s\n%s", m.Text, m.HTML)
			break
		}
	}
	id := m.Header.Get("Message-ID")
	if before, again := n.came[id]; again && before.text != m.Text {
		n.t.Errorf("the mail %s came again, as\n%s", id, m.Text)
	}
	n.came[id] = l
}

// oneClick checks the headers of RFC 8058, and returns the address that ends the mails.
func oneClick(t *testing.T, m smtptest.Mail) string {
	t.Helper()
	ends, how := m.Header["List-Unsubscribe"], m.Header["List-Unsubscribe-Post"]
	if len(ends) != 1 || len(how) != 1 || how[0] != "List-Unsubscribe=One-Click" ||
		!regexp.MustCompile(`^<https?://[^\s<>]+>$`).MatchString(ends[0]) {
		t.Fatalf("List-Unsubscribe %q, List-Unsubscribe-Post %q", ends, how)
	}
	return strings.Trim(ends[0], "<>")
}

// tableRow is a line of a table of a mail; count may be empty.
type tableRow struct{ name, count, value string }

func rows(text string) (all []tableRow) {
	for line := range strings.Lines(text) {
		if found := rowLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); found != nil {
			all = append(all, tableRow{found[1], found[2], found[3]})
		}
	}
	return all
}

// read takes what the English part tells.
func (l *letter) read(t *testing.T, lines []string) {
	t.Helper()
	text := strings.Join(lines, "\n")
	if !strings.HasPrefix(lines[1], "\u2068"+l.organization+"\u2069") {
		t.Errorf("a mail to a member of %s:\n%s", l.organization, text)
	}
	kind, single := one[lines[0]]
	day, ofDay := strings.CutPrefix(lines[0], "Summary of ")
	switch {
	case ofDay:
		l.summary = day
		l.readSummary(t, lines, text)
	case single:
		found := total{Count: 1}
		what := several[kind]
		if kind == notices.Paid {
			for _, r := range rows(text) {
				if r.name == "Method" {
					what += " · " + r.value
				}
			}
			found.Minor = dirhams(t, lines[3])
		}
		l.told.add(what, found)
	default:
		l.readDigest(t, lines, text)
	}
}

// part is a part of a digest, as far as it has been read.
type part struct {
	title              string
	count, named, rest int64
	whole, methods     total // of payments
	byName             []notices.Kind
	counted            bool // by kind
}

const decide = "Needs a decision"

// readDigest takes what one mail tells of several things.
func (l *letter) readDigest(t *testing.T, lines []string, text string) {
	t.Helper()
	p := &part{}
	parts := []*part{}
	for _, line := range lines {
		title := titleLine.FindStringSubmatch(line)
		if title == nil || restLine.MatchString(line) {
			l.readLine(t, p, line)
			continue
		}
		p = &part{title: title[1], count: number64(t, title[2])}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		t.Fatalf("a mail of no known kind:\n%s", text)
	}
	for _, p := range parts {
		switch {
		case p.title == several[notices.Paid]:
		case p.title != decide:
			l.told.add(p.title, total{Count: p.count})
		case !p.counted:
			for _, k := range p.byName {
				l.told.add(several[k], total{Count: 1})
			}
		}
		p.named += int64(len(p.byName))
		if p.whole != p.methods || p.named > 0 && p.named+p.rest != p.count {
			t.Errorf("a part does not add up: %+v, in\n%s", p, text)
		}
	}
}

// readLine takes a line of a part.
func (l *letter) readLine(t *testing.T, p *part, line string) {
	t.Helper()
	payments := several[notices.Paid]
	row := rowLine.FindStringSubmatch(line)
	rest := restLine.FindStringSubmatch(line)
	switch {
	case rest != nil:
		p.rest = number64(t, rest[1])
	case len(row) > 0 && row[2] != "": // a method
		found := total{number64(t, row[2]), dirhams(t, row[3])}
		p.methods = p.methods.plus(found)
		l.told.add(payments+" · "+row[1], found)
	case len(row) > 0 && amount.MatchString(row[3]):
		kind, known := one[row[1]]
		if !known {
			t.Errorf("of no known kind: %s", line)
		}
		p.byName = append(p.byName, kind)
	case len(row) > 0: // how many there are of a kind
		p.counted = true
		l.told.add(row[1], total{Count: number64(t, row[3])})
	case p.title == payments && itemLine.MatchString(line) && p.whole == (total{}):
		p.whole = total{p.count, dirhams(t, line)}
	case p.title == payments && itemLine.MatchString(line):
		p.named++
	case p.whole != (total{}) && p.methods == (total{}) && line != "": // the only method
		p.methods = p.whole
		l.told.add(payments+" · "+line, p.whole)
	}
}

// readSummary takes the figures of a day.
func (l *letter) readSummary(t *testing.T, lines []string, text string) {
	t.Helper()
	for n, line := range lines {
		if title := titleLine.FindStringSubmatch(line); len(title) > 0 && title[1] == several[notices.Paid] {
			l.told.add("Received", total{number64(t, title[2]), dirhams(t, lines[n-1])})
		}
	}
	for _, r := range rows(text) {
		if r.count == "" {
			l.told.add(r.name, total{Count: number64(t, r.value)})
			continue
		}
		l.told.add(r.name, total{number64(t, r.count), dirhams(t, r.value)})
	}
}

func number64(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// dirhams reads an amount.
func dirhams(t *testing.T, text string) int64 {
	t.Helper()
	found := amount.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("%q has no amount", text)
	}
	digits := strings.NewReplacer(",", "", ".", "").Replace(found[1])
	minor, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return minor
}
