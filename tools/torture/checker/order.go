package checker

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/tools/torture/history"
	"daftar/tools/torture/lifecycle"
)

const (
	// checkTogether is how many references porcupine checks in one call.
	checkTogether = 500
	// checkLimit bounds the search for an order of operations; a few operations take
	// microseconds.
	checkLimit = 20 * time.Second
)

// linearizable is I10: for each reference there is one order of the clients' operations and
// the log's events that explains all observations. An operation takes effect between its
// start and its end; one without a definite answer at any time after its start, or never.
// An event takes effect at about the time at which it was recorded.
func (c *checker) linearizable(_ context.Context, f *finding) error {
	parts, looked := c.operations()
	f.looked = looked
	keys := make([]key, 0, len(parts))
	for k := range parts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(slices.Compare(a.application[:], b.application[:]), cmp.Compare(a.reference, b.reference))
	})
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for some := range slices.Chunk(keys, checkTogether) {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			broken := checkSome(parts, some)
			mu.Lock()
			defer mu.Unlock()
			for _, why := range broken {
				f.wrongf("%s", why)
			}
		})
	}
	wg.Wait()
	return nil
}

// checkSome checks references together, and each alone only if that fails.
func checkSome(parts map[key][]porcupine.Operation, keys []key) (broken []string) {
	m := lifecycle.Model(lifecycle.State{})
	var all []porcupine.Operation
	for _, k := range keys {
		all = append(all, parts[k]...)
	}
	if porcupine.CheckOperationsTimeout(m, all, checkLimit) == porcupine.Ok {
		return nil
	}
	for _, k := range keys {
		if got := porcupine.CheckOperationsTimeout(m, parts[k], checkLimit); got != porcupine.Ok {
			broken = append(broken, fmt.Sprintf("%q of %s: %s: %s",
				k.reference, k.application, got, describe(parts[k])))
		}
	}
	if broken == nil {
		broken = []string{fmt.Sprintf("porcupine did not finish %d references in %v", len(keys), checkLimit)}
	}
	return broken
}

// describe lists the operations on a reference, in the order of their starts.
func describe(all []porcupine.Operation) string {
	slices.SortFunc(all, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	var b strings.Builder
	for n, o := range all {
		if n == 12 {
			fmt.Fprintf(&b, " … %d more", len(all)-n)
			break
		}
		d, known := o.Input.(lifecycle.Operation)
		s, observed := o.Output.(lifecycle.Observation)
		if !known || !observed {
			panic("checker: an operation of another model")
		}
		fmt.Fprintf(&b, " [%v–%v %s %s%s%s%s v%d]",
			time.Duration(o.Call).Round(time.Millisecond), time.Duration(o.Return).Round(time.Millisecond),
			d.Do, d.Event, s.Answer, s.Page, s.State.Status, max(d.Version, s.State.Version))
	}
	return b.String()
}

// operations returns the operations of each reference, without redundant ones.
func (c *checker) operations() (parts map[key][]porcupine.Operation, looked int64) {
	end := int64(0)
	for _, q := range c.run.Requests {
		end = max(end, int64(q.Ended)+1)
	}
	gathered := map[key]*gathering{}
	for n, q := range c.run.Requests {
		d, s, sure, counts := c.seen(n, q)
		if !counts {
			continue
		}
		looked++
		k := key{q.Application, q.Reference}
		d.Intent = partOf(k)
		o := porcupine.Operation{
			ClientId: q.Client, Input: d, Output: s, Call: int64(q.Began), Return: int64(q.Ended),
		}
		if !sure {
			o.Return = end
		}
		if gathered[k] == nil {
			gathered[k] = &gathering{}
		}
		gathered[k].add(o, d, s, sure)
	}
	parts = make(map[key][]porcupine.Operation, len(gathered))
	for k, g := range gathered {
		parts[k] = g.operations()
	}
	for _, s := range c.log.streams {
		k := key{s.created.Application, s.created.MerchantReference}
		if _, watched := parts[k]; watched {
			parts[k] = append(parts[k], c.logged(s, partOf(k))...)
			looked += int64(len(s.events))
		}
	}
	return parts, looked
}

// gathering is the operations of one reference. porcupine would try every order of the fifty
// clients that race for a reference, so redundant operations are left out:
//
//   - An intent has a version during one period. Every operation that saw the version ended
//     after the start of the period and began before its end. So the operations with the
//     latest start and the earliest end restrict the period as much as all of them.
//   - Creates without an answer may take effect at any time from their start on, or never.
//     The first of them can explain everything that any of them can.
type gathering struct {
	kept    []porcupine.Operation
	unknown *porcupine.Operation        // the first create without an answer
	latest  map[int]porcupine.Operation // the latest start, by the version that was seen
	first   map[int]porcupine.Operation // the earliest end, by the version that was seen
}

func (g *gathering) add(o porcupine.Operation, d lifecycle.Operation, s lifecycle.Observation, sure bool) {
	version := s.State.Version
	switch {
	case d.Do == "create" && !sure:
		if g.unknown == nil || o.Call < g.unknown.Call {
			g.unknown = &o
		}
	case version == 0 || s.Answer == "new":
		g.kept = append(g.kept, o)
	default:
		if g.latest == nil {
			g.latest, g.first = map[int]porcupine.Operation{}, map[int]porcupine.Operation{}
		}
		if was, seen := g.latest[version]; !seen || o.Call > was.Call {
			g.latest[version] = o
		}
		if was, seen := g.first[version]; !seen || o.Return < was.Return {
			g.first[version] = o
		}
	}
}

func (g *gathering) operations() []porcupine.Operation {
	all := g.kept
	if g.unknown != nil {
		all = append(all, *g.unknown)
	}
	for version, o := range g.latest {
		all = append(all, o)
		if f := g.first[version]; f.Call != o.Call || f.Return != o.Return {
			all = append(all, f)
		}
	}
	return all
}

// partOf is an id for a reference, even if there is no intent of it.
func partOf(k key) domain.IntentID {
	return domain.IntentID(uuid.NewSHA1(k.application, []byte(k.reference)))
}

// seen converts a request into an operation of the model. counts is false if it had no effect
// and showed nothing; sure is false if it may have had an effect.
func (c *checker) seen(
	n int, q history.Request,
) (d lifecycle.Operation, s lifecycle.Observation, sure, counts bool) {
	a := c.answers[n]
	if a.shown {
		if c.log.owner(a.id) != q.Application {
			return d, s, false, false // I1 and I12 report it
		}
		s.State = c.stateIn(a)
	}
	switch q.Kind {
	case history.Create:
		d.Do = "create"
		switch {
		case a.shown && q.Status == 201:
			s.Answer = "new"
		case a.shown:
			s.Answer = "known"
		case q.Status == 0 || q.Status >= 500:
			return d, s, false, true
		}
		return d, s, a.shown, a.shown
	case history.Read:
		d.Do = "see"
		return d, s, true, a.shown
	case history.Pay:
		d.Do, d.When, s.Page = "page", lifecycle.NearEnd, q.Page
		return d, s, true, slices.Contains([]string{"pay", "otp", "processing", "receipt", "expired"}, q.Page)
	}
	return d, s, false, false
}

// stateIn is the state that an answer shows: the status, and the version if only one has that
// status and time.
func (c *checker) stateIn(a answer) lifecycle.State {
	l := lifecycle.State{Status: domain.Status(a.Status)}
	if s := c.log.streams[a.id]; s != nil {
		if versions := s.versions(a); len(versions) == 1 {
			l.Version = int(versions[0])
		}
	}
	return l
}

// An event is committed after its time was read, within the longest time of a batch. The
// difference of the database's clock to ours is known to a second.
const (
	eventEarly = time.Second
	eventLate  = 15 * time.Second
)

// logged returns the events of a stream except the first, which belongs to a create.
func (c *checker) logged(s *stream, part domain.IntentID) []porcupine.Operation {
	var all []porcupine.Operation
	attempts := map[string]int{}
	for _, e := range s.events {
		if e.kind == domain.TypeCreated {
			continue
		}
		if e.kind == domain.TypeAttemptStarted {
			attempts[e.payload.Attempt] = len(attempts)
		}
		at := e.recorded.Add(-c.log.ahead).Sub(c.run.Started)
		all = append(all, porcupine.Operation{
			ClientId: -1, Call: int64(at - eventEarly), Return: int64(at + eventLate), Output: lifecycle.Observation{},
			Input: lifecycle.Operation{
				Intent: part, Do: "recorded", Event: e.kind, N: attempts[e.payload.Attempt], Version: int(e.version),
			},
		})
	}
	return all
}

// standing orders the statuses by how far an intent has come for its merchant.
var standing = map[string]int{
	string(domain.StatusRequiresPaymentMethod): 0, string(domain.StatusProcessing): 0,
	string(domain.StatusCanceled): 1, string(domain.StatusSucceeded): 2,
}

// monotone is I11: an answer that came before a request began is never newer than that
// request's answer, for all clients and servers.
func (c *checker) monotone(_ context.Context, f *finding) error {
	byIntent := map[uuid.UUID][]int{}
	for n := range c.run.Requests {
		if a := c.answers[n]; a.shown {
			byIntent[a.id] = append(byIntent[a.id], n)
		}
	}
	for id, all := range byIntent {
		f.looked += int64(len(all))
		if why := c.goesBack(all); why != "" {
			f.wrongf("intent %s: %s", id, why)
		}
	}
	return nil
}

// goesBack goes through starts and ends in their order: a request must see at least what any
// request saw that ended before its start.
func (c *checker) goesBack(all []int) string {
	ends := slices.Clone(all)
	slices.SortFunc(all, func(a, b int) int {
		return cmp.Compare(c.run.Requests[a].Began, c.run.Requests[b].Began)
	})
	slices.SortFunc(ends, func(a, b int) int {
		return cmp.Compare(c.run.Requests[a].Ended, c.run.Requests[b].Ended)
	})
	newest := -1 // the answer with the latest updated_at
	highest := -1
	for _, n := range all {
		for len(ends) > 0 && c.run.Requests[ends[0]].Ended < c.run.Requests[n].Began {
			if seen := ends[0]; newest < 0 || c.answers[seen].UpdatedAt.After(c.answers[newest].UpdatedAt) {
				newest = seen
			}
			if seen := ends[0]; highest < 0 || standing[c.answers[seen].Status] > standing[c.answers[highest].Status] {
				highest = seen
			}
			ends = ends[1:]
		}
		now := c.answers[n]
		if newest >= 0 && now.UpdatedAt.Before(c.answers[newest].UpdatedAt) {
			return fmt.Sprintf("%s of %v was shown at %v, after %s of %v",
				now.Status, now.UpdatedAt, c.run.Requests[n].Began,
				c.answers[newest].Status, c.answers[newest].UpdatedAt)
		}
		if highest >= 0 && standing[now.Status] < standing[c.answers[highest].Status] {
			return fmt.Sprintf("%s was shown at %v, after %s",
				now.Status, c.run.Requests[n].Began, c.answers[highest].Status)
		}
	}
	return ""
}
