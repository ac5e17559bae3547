package checker

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/books"
	"daftar/domain"
	"daftar/projections"
)

// booked is a payload of an event of a provider account, decoded without the codec.
type booked struct {
	Organization uuid.UUID   `json:"organization"`
	Mode         domain.Mode `json:"mode"`
	Acquirer     string      `json:"acquirer"`
	Gross        int64       `json:"gross"`
	GrossBefore  int64       `json:"gross_before"`
	Fees         int64       `json:"fees"`
	FeesBefore   int64       `json:"fees_before"`
	Net          int64       `json:"net"`
	NetBefore    int64       `json:"net_before"`
}

// addBooked adds an event of a provider account.
func (l *ledger) addBooked(r record) {
	var b booked
	if err := json.Unmarshal(r.payload, &b); err != nil {
		l.strange = append(l.strange, fmt.Sprintf("position %d: %v", r.position, err))
	}
	l.booked = append(l.booked, b)
}

// atProvider are the sums of a tenant at a provider that people look at first.
type atProvider struct {
	domain.Tenant

	acquirer string
}

type providerSums struct{ due, bank, fees int64 }

// bookkept is I16: what is due from each provider is what it took, less what it gave back, what it settled
// and its fees, and so are bank and fees, for every tenant. They are added up here from the log, without
// package books, and compared with what the program says.
func (c *checker) bookkept(ctx context.Context, f *finding) error {
	tenants, err := c.tenantsOfApplications(ctx)
	if err != nil {
		return err
	}
	want := map[atProvider]providerSums{}
	for _, s := range c.log.streams {
		acquirers := map[string]string{} // by attempt
		for _, e := range s.events {
			amount := e.payload.Amount
			switch {
			case e.kind == domain.TypeAttemptStarted:
				acquirers[e.payload.Attempt] = e.payload.Acquirer
				continue
			case e.kind == domain.TypeRefundRecorded:
				amount = -amount
			case !slices.Contains(paying, e.kind):
				continue
			}
			f.looked++
			at := atProvider{tenants[s.created.Application], acquirers[e.payload.Attempt]}
			sums := want[at]
			sums.due += amount
			want[at] = sums
		}
	}
	for _, b := range c.log.booked {
		f.looked++
		at := atProvider{domain.Tenant{Organization: b.Organization, Mode: b.Mode}, b.Acquirer}
		sums := want[at]
		gross := b.Gross - b.GrossBefore
		sums.due, sums.bank, sums.fees = sums.due-gross, sums.bank+b.Net-b.NetBefore, sums.fees+b.Fees-b.FeesBefore
		want[at] = sums
	}
	got, err := c.balances(ctx, f, tenants)
	if err != nil {
		return err
	}
	all := maps.Clone(want)
	maps.Copy(all, got)
	places := slices.SortedFunc(maps.Keys(all), func(a, b atProvider) int {
		return cmp.Or(cmp.Compare(a.Organization.String(), b.Organization.String()),
			cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.acquirer, b.acquirer))
	})
	var due int64
	for _, at := range places {
		due += want[at].due
		if got[at] != want[at] {
			f.wrongf("books of %s (%s) at %s: due, bank and fees are %v, the log says %v",
				at.Organization, at.Mode, at.acquirer, got[at], want[at])
		}
	}
	f.notef("%d events of settlements, %d due in minor units", len(c.log.booked), due)
	return nil
}

// balances are what the program says, after the last event that was read.
func (c *checker) balances(
	ctx context.Context, f *finding, tenants map[uuid.UUID]domain.Tenant,
) (map[atProvider]providerSums, error) {
	got := map[atProvider]providerSums{}
	for _, tenant := range slices.Compact(slices.SortedFunc(maps.Values(tenants), func(a, b domain.Tenant) int {
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})) {
		balance, err := projections.NewBooks(c.pool).Balance(ctx, tenant, c.log.last)
		if unreachable(ctx, err) {
			return nil, err
		}
		if err != nil {
			f.wrongf("books of %s (%s): %v", tenant.Organization, tenant.Mode, err)
		}
		for _, one := range balance {
			at := atProvider{tenant, one.Acquirer}
			sums := got[at]
			switch one.Account {
			case books.Due:
				sums.due = one.Amount
			case books.Bank:
				sums.bank = one.Amount
			case books.Fees:
				sums.fees = one.Amount
			case books.Sales, books.Late, books.Duplicate, books.Refunds, books.Differences:
			}
			got[at] = sums
		}
	}
	return got, nil
}

const tenantsSQL = `SELECT uuid, organization_uuid, mode FROM applications`

func (c *checker) tenantsOfApplications(ctx context.Context) (map[uuid.UUID]domain.Tenant, error) {
	rows, err := c.pool.Query(ctx, tenantsSQL)
	if err != nil {
		return nil, fmt.Errorf("read applications: %w", err)
	}
	all := map[uuid.UUID]domain.Tenant{}
	var id, organization [16]byte
	var mode domain.Mode
	_, err = pgx.ForEachRow(rows, []any{&id, &organization, &mode}, func() error {
		all[id] = domain.Tenant{Organization: organization, Mode: mode}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read applications: %w", err)
	}
	return all, nil
}
