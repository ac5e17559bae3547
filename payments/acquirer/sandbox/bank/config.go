package bank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// Config is what a bank needs. Secret and PublicURL are required; zero values of
// the others mean the default in brackets.
type Config struct {
	Secret    string // of the API and the notifications, shared with the adapter
	PublicURL string // of the bank page, without a path
	Journal   string // path of the journal (none: memory only)
	Logger    zerolog.Logger
	Clock     func() time.Time // (time.Now)

	HoldLimit   time.Duration   // longest silence of a number that never answers (30 s)
	NotifyAfter []time.Duration // wait before each try of a notification (0, 1 s, 5 s, 30 s)
	LateAfter   time.Duration   // from declined to paid, of the number that is paid late (5 s)
	AnswerAfter time.Duration   // from a refund to its answer, of the number that refunds slowly (3 s)
}

// Bank is the sandbox acquirer. It is safe for concurrent use.
type Bank struct {
	config Config

	mu      sync.Mutex // guards books and journal: they change together
	books   books
	journal *journal

	notifier *notifier
	closed   context.Context // ends with Close
	close    context.CancelFunc
	late     sync.WaitGroup // payments that are declined and will be paid
}

// New opens the bank and replays its journal. The error names everything that is
// wrong with the configuration at once.
func New(c Config) (*Bank, error) {
	if err := checkConfig(c); err != nil {
		return nil, fmt.Errorf("configure sandbox bank: %w", err)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.NotifyAfter == nil {
		c.NotifyAfter = []time.Duration{0, time.Second, 5 * time.Second, 30 * time.Second}
	}
	c.HoldLimit = cmp.Or(c.HoldLimit, 30*time.Second)
	c.LateAfter = cmp.Or(c.LateAfter, lateAfter)
	c.AnswerAfter = cmp.Or(c.AnswerAfter, answerAfter)
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	b := &Bank{config: c, books: books{payments: make(map[string]*payment)}}
	if c.Journal != "" {
		var err error
		if b.journal, err = openJournal(c.Journal, b.books.replay); err != nil {
			return nil, fmt.Errorf("open journal: %w", err)
		}
	}
	b.closed, b.close = context.WithCancel(context.Background())
	b.notifier = newNotifier(b.closed, c)
	for _, p := range b.books.opened {
		if p.willBePaid() {
			b.payLater(p)
		}
	}
	return b, nil
}

// Close ends held requests, cancels notifications and closes the journal. Calls after the
// first change nothing.
func (b *Bank) Close() error {
	b.close()
	b.late.Wait()
	b.notifier.shut()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.journal == nil {
		return nil
	}
	if err := b.journal.close(); err != nil {
		return fmt.Errorf("close journal: %w", err)
	}
	return nil
}

// WaitNotified returns when no notification is being sent or waiting to be sent
// again. The error is that of ctx.
func (b *Bank) WaitNotified(ctx context.Context) error {
	return b.notifier.wait(ctx)
}

// change writes a record to the journal and then to the books. Where the journal fails, the
// books do not change. b.mu is held.
func (b *Bank) change(rec record) error {
	if err := b.books.check(rec); err != nil {
		return fmt.Errorf("change books: %w", err)
	}
	if b.journal != nil {
		if err := b.journal.append(rec); err != nil {
			return fmt.Errorf("write journal: %w", err)
		}
	}
	b.books.apply(rec)
	return nil
}

func checkConfig(c Config) error {
	var wrong []error
	if c.Secret == "" {
		wrong = append(wrong, errors.New("secret is empty"))
	}
	u, err := url.Parse(c.PublicURL)
	switch {
	case err != nil || !isWebURL(c.PublicURL):
		wrong = append(wrong, errors.New("public URL is not an absolute http or https URL"))
	case (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.Fragment != "":
		wrong = append(wrong, errors.New("public URL has a path, query or fragment"))
	}
	return errors.Join(wrong...)
}

// isWebURL reports whether s is an absolute http or https address without credentials. With
// another scheme a link on the bank's page could run a script.
func isWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}
