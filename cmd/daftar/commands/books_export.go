package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/books"
	"daftar/books/export"
	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/output"
	"daftar/projections"
	"daftar/transparency"
)

func (p *program) booksExport() *cobra.Command {
	var f export.Format
	c := p.booksCommand("export", "Write an organisation's journal for an accountant's program", true,
		func(ctx context.Context, b openBooks) error { return p.exportBooks(ctx, b, f) })
	c.Use = strings.Replace(c.Use, " --org U", " --org U --format F", 1)
	c.Long = `Write an organisation's journal for an accountant's program, to standard output.

The form hledger is read by hledger and by ledger, beancount by beancount, and csv has a row
for each line of an entry. The head names the newest signed checkpoint of the log, which
covers all entries, and what an auditor needs to compute them from the log: docs/accounting.md.`
	cli.Choice(c, &f, "format", "`hledger, beancount or csv`", export.Formats()...)
	return c
}

func (p *program) exportBooks(ctx context.Context, b openBooks, f export.Format) error {
	c, err := transparency.Latest(ctx, b.pool)
	if err != nil {
		return err
	}
	b.upTo = min(b.upTo, c.Size)
	out, bar, entries := bufio.NewWriterSize(p.Out, 1<<16), newProgress(p.Err), 0
	w := export.New(f, out, export.Head{
		Origin: c.Origin, Size: c.Size, Root: c.Root.String(), Organization: b.tenant.Organization,
		Mode: b.tenant.Mode, Applications: b.applications, After: b.after, UpTo: b.upTo,
	})
	err = b.Journal(ctx, b.tenant, b.after, b.upTo, func(e projections.BookEntry) error {
		entries++
		bar.show(e.Position-b.after, b.upTo-b.after)
		return w.Write(export.Entry(e))
	})
	bar.finish()
	if err := errors.Join(err, out.Flush()); err != nil {
		return fmt.Errorf("the output is not whole: %w", err)
	}
	p.Notef("%s up to position %s, under the checkpoint of size %s.",
		count(entries, "entry", "entries"), output.Count(b.upTo), output.Count(c.Size))
	return nil
}

func (p *program) booksVerify() *cobra.Command {
	c := p.booksCommand("verify", "Compute an organisation's balances from the log alone and compare them",
		false, p.verifyBooks)
	c.Long = `Compute an organisation's balances from the log alone and compare them with those that
books balance prints. The exit code is 1 where an account differs. That the log is what was
signed is for daftar audit verify to say.`
	return c
}

// verifiedBooks is what verify found.
type verifiedBooks struct {
	Organization uuid.UUID         `json:"organization"`
	Mode         domain.Mode       `json:"mode"`
	Position     int64             `json:"position"`
	Entries      int               `json:"entries"`
	OK           bool              `json:"ok"`
	Accounts     []verifiedAccount `json:"accounts"     label:""`
}

type verifiedAccount struct {
	Account  string `json:"account"  label:"account"`
	Balance  int64  `json:"balance"`
	Computed int64  `json:"computed"`
	Kept     string `json:"-"        label:"in the books"`
	Made     string `json:"-"        label:"from the log"`
}

func (p *program) verifyBooks(ctx context.Context, b openBooks) error {
	answer := verifiedBooks{
		Organization: b.tenant.Organization, Mode: b.tenant.Mode, Position: b.upTo, OK: true,
		Accounts: []verifiedAccount{},
	}
	all := map[string]verifiedAccount{}
	bar := newProgress(p.Err)
	err := b.fromLog(ctx, bar, func(e books.Entry) {
		answer.Entries++
		for _, l := range e.Lines {
			a := all[l.Account.Name(e.Acquirer)]
			a.Computed += l.Amount
			all[l.Account.Name(e.Acquirer)] = a
		}
	})
	bar.finish()
	if err != nil {
		return err
	}
	kept, err := b.Balance(ctx, b.tenant, b.upTo)
	if err != nil {
		return err
	}
	for _, k := range kept {
		a := all[k.Account.Name(k.Acquirer)]
		a.Balance += k.Amount
		all[k.Account.Name(k.Acquirer)] = a
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		a := all[name]
		a.Account = name
		a.Kept, a.Made = fmt.Sprintf("%16s", dinars(a.Balance)), fmt.Sprintf("%16s", dinars(a.Computed))
		answer.Accounts = append(answer.Accounts, a)
		answer.OK = answer.OK && a.Balance == a.Computed
	}
	verdict := "the books have the same balances"
	if !answer.OK {
		verdict = "THE BOOKS DIFFER"
	}
	return cli.ReportedUnless(answer.OK, p.Answer(answer,
		fmt.Sprintf("%s made from the log up to position %s: %s.",
			count(answer.Entries, "entry", "entries"), output.Count(b.upTo), verdict)))
}

// fromLog makes every entry of the books from the log alone: whose a stream is its first event says, and
// no read model is asked.
func (b openBooks) fromLog(ctx context.Context, bar progress, do func(books.Entry)) error {
	log := eventstore.NewReader(b.pool)
	owners := slices.Concat(b.applications, []uuid.UUID{b.tenant.Organization})
	for after := int64(0); after < b.upTo; after += exportPage {
		upTo := min(after+exportPage, b.upTo)
		events, err := log.ReadRangeStarted(ctx, after, upTo, ownersIn, owners)
		if err != nil {
			return err
		}
		if err := b.entriesOf(ctx, events, after, upTo, do); err != nil {
			return err
		}
		bar.show(upTo, b.upTo)
	}
	return nil
}

// entriesOf makes the entries that streams with these events have after one position up to another.
func (b openBooks) entriesOf(
	ctx context.Context, events []eventstore.Recorded, after, upTo int64, do func(books.Entry),
) error {
	streams := eventstore.ByStream(events)
	var intents []uuid.UUID
	for id, stream := range streams {
		// A provider account's stream may be very long, and each of its entries needs its own event alone.
		if !books.Has(stream[0].Type) {
			intents = append(intents, id)
		}
	}
	whole, err := eventstore.ReadStreams(ctx, b.pool, intents, books.Types()...)
	if err != nil {
		return err
	}
	maps.Copy(streams, eventstore.ByStream(whole))
	for id, stream := range streams {
		entries, err := books.Entries(stream)
		if err != nil {
			return fmt.Errorf("stream %s: %w", id, err)
		}
		for _, e := range entries {
			at := stream[e.Event].Position
			ours := e.Settlement == uuid.Nil || id == books.KeyOf(b.tenant, e.Acquirer).StreamID()
			if ours && at > after && at <= upTo {
				do(e)
			}
		}
	}
	return nil
}
