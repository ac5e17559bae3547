package torture

import (
	"bufio"
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"daftar/tools/torture/checker"
	"daftar/tools/torture/history"
)

// sampleEvery is how often the servers are sampled.
const sampleEvery = 2 * time.Second

const holdersSQL = `
SELECT application_uuid, busy_with
FROM webhook_endpoints
WHERE busy_with IS NOT NULL`

// watch samples the servers and the holders of endpoints, until ctx ends.
func (n *nemesis) watch(ctx context.Context) {
	var watching sync.WaitGroup
	groups := takeovers{active: map[string]string{}}
	for _, one := range n.all() {
		watching.Go(func() { n.watchServer(ctx, one, &groups) })
	}
	holders := map[uuid.UUID]uuid.UUID{}
	for wait(ctx, sampleEvery) {
		n.noteHolders(ctx, holders)
	}
	watching.Wait()
}

// metricsLimit is long, because on a busy machine a late sample is better than none.
const metricsLimit = 10 * time.Second

// watchServer samples one server. Each has its own goroutine, so that a server that does not answer does
// not delay the samples of the others.
func (n *nemesis) watchServer(ctx context.Context, one *server, groups *takeovers) {
	client := &http.Client{Timeout: metricsLimit, Transport: &http.Transport{DisableKeepAlives: true}}
	events := map[string]float64{}
	for wait(ctx, sampleEvery) {
		p := one.process()
		if p == nil {
			continue
		}
		numbers := metricsOf(ctx, client, "http://"+one.ops+"/metrics")
		resident, files := p.memory()
		if resident == 0 || numbers == nil {
			continue
		}
		n.recorder.Sample(history.Sample{
			Server: one.name, Process: p.command.Process.Pid, At: n.recorder.Now(),
			RSS: resident, FDs: int64(files), Goroutines: int64(numbers["go_goroutines"]),
		})
		n.recorder.Count(countGroupTakeovers, groups.note(one.name, p.command.Process.Pid, numbers, events))
	}
}

// takeovers tracks which server runs each consumer group.
type takeovers struct {
	mu     sync.Mutex
	active map[string]string // the last server at which a group made progress
}

// note returns how many groups have moved to this server since its last sample.
func (t *takeovers) note(server string, process int, numbers, before map[string]float64) (taken int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, value := range numbers {
		group, found := strings.CutPrefix(name, `daftar_feed_events_total{group="`)
		if !found {
			continue
		}
		key := strconv.Itoa(process) + group
		if value > before[key] {
			if was := t.active[group]; was != "" && was != server {
				taken++
			}
			t.active[group] = server
		}
		before[key] = value
	}
	return taken
}

// noteHolders counts how often another dispatcher took over an endpoint.
func (n *nemesis) noteHolders(ctx context.Context, holders map[uuid.UUID]uuid.UUID) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	rows, err := n.pool.Query(ctx, holdersSQL)
	if err != nil {
		return // PostgreSQL is down
	}
	defer rows.Close()
	for rows.Next() {
		var endpoint, by [16]byte
		if rows.Scan(&endpoint, &by) != nil {
			return
		}
		if was, known := holders[endpoint]; known && was != by {
			n.recorder.Count(countLeaseTakeovers, 1)
		}
		holders[endpoint] = by
	}
}

// metricsOf reads a page of metrics; nil if the server does not answer.
func metricsOf(ctx context.Context, client *http.Client, address string) map[string]float64 {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil
	}
	response, err := client.Do(r)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	all := map[string]float64{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, text, found := strings.Cut(lines.Text(), " ")
		value, err := strconv.ParseFloat(text, 64)
		if found && err == nil {
			all[name] = value
		}
	}
	return all
}

// checkEvery is how often invariants are checked during the run.
const checkEvery = 5 * time.Second

// checkMeanwhile checks the latest events until ctx ends.
func (n *nemesis) checkMeanwhile(ctx context.Context) {
	for wait(ctx, checkEvery) {
		verdicts, err := checker.Continuous(ctx, n.pool)
		if err != nil {
			n.recorder.Count("not checked meanwhile: "+problemOf(err), 1)
			continue
		}
		n.recorder.Count(countChecked, 1)
		for _, v := range verdicts {
			if !v.OK {
				n.complainf("while it ran, %s %s: %s", v.ID, v.Name, v.Detail)
			}
		}
	}
}
