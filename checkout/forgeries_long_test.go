//go:build long

package checkout_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"daftar/domain"
)

// forge sends messages made of genuine ones that prove nothing: signed wrongly, altered, cut
// off, re-pointed to unpaid payments, and sent again. No state changes.
func (c *crowd) forge(count int) {
	t := c.t
	t.Helper()
	p := &payer{crowd: c, random: rand.New(rand.NewPCG(1, 2)), from: http.Header{}}
	var victims []domain.AttemptID
	pages := map[domain.AttemptID]string{}
	for n := range 48 {
		method := []string{"cards", "tlync", "moamalat", "lypay"}[n%4]
		i := c.createFor(50_000)
		p.page = path(i)
		p.from = http.Header{"X-Forwarded-For": {fmt.Sprintf("10.200.0.%d", n)}}
		p.postForm("attempts", url.Values{"method": {method}, "phone": {fmt.Sprintf("0925%06d", n)}})
		// An attempt whose beginning failed by a leftover fault changes its stage by itself.
		for _, begun := range c.load(i.ID).Attempts {
			if c.row(begun.ID).Stage == "bank" {
				victims, pages[begun.ID] = append(victims, begun.ID), p.page
			}
		}
	}
	if len(victims) < 24 {
		t.Fatalf("only %d payments wait", len(victims))
	}
	states := func() (events int, stages string) {
		row := c.pool.QueryRow(context.Background(), `
			SELECT (SELECT count(*)
			        FROM events
			        WHERE stream_id IN (SELECT intent_uuid FROM checkout_attempts WHERE attempt = ANY($1))),
			       (SELECT string_agg(attempt || stage, ',' ORDER BY attempt)
			        FROM checkout_attempts
			        WHERE attempt = ANY($1))`, victims)
		if err := row.Scan(&events, &stages); err != nil {
			t.Fatal(err)
		}
		return events, stages
	}
	events, stages := states()
	kinds, refused := map[string]int{}, 0
	for sent := 0; sent < count; {
		for name, all := range c.messages {
			if len(all) == 0 {
				t.Fatalf("no genuine message of %s was seen", name)
			}
			m := *all[p.random.IntN(len(all))]
			victim := victims[p.random.IntN(len(victims))]
			kind := m.forge(p.random, victim)
			if strings.HasSuffix(m.path, "/return") && kind != "again" {
				m.path = pages[victim] + "/return"
			}
			kinds[name+" "+kind]++
			sent++
			if status := c.push(m); status >= 400 && status != http.StatusServiceUnavailable {
				refused++
			} else if status == http.StatusServiceUnavailable {
				t.Fatalf("%s %s: the server was not available", name, kind)
			}
		}
	}
	after, later := states()
	if after != events || later != stages {
		t.Errorf("%d events were written, the stages were\n%s\nand are\n%s", after-events, stages, later)
	}
	t.Logf("%d messages, %d refused: %v", count, refused, kinds)
}

var (
	figureForm = regexp.MustCompile(`[0-9]`)
	ourForm    = regexp.MustCompile(`[0-9a-z]{25,26}`)
)

// forge changes a message so that it proves nothing, and returns how.
func (m *pushed) forge(random *rand.Rand, victim domain.AttemptID) string {
	m.header = m.header.Clone()
	text := &m.body
	if m.body == "" {
		text = &m.query
	}
	repoint := func() {
		*text = ourForm.ReplaceAllStringFunc(*text, func(old string) string { return string(victim)[:len(old)] })
	}
	switch random.IntN(5) {
	case 0: // the signature, in a header or in the text
		for _, name := range []string{"X-Signature", "X-Webhook-Signature", "X-Lypay-Signature", "Signature"} {
			if value := m.header.Get(name); value != "" {
				m.header.Set(name, corrupted(value, random))
			}
		}
		*text = signatureForm.ReplaceAllStringFunc(*text, func(old string) string {
			return old[:len(old)-32] + corrupted(old[len(old)-32:], random)
		})
		repoint()
		return "signed wrongly"
	case 1:
		repoint()
		places := figureForm.FindAllStringIndex(*text, -1)
		if len(places) > 0 {
			at := places[random.IntN(len(places))][0]
			*text = (*text)[:at] + string('0'+('9'-(*text)[at])) + (*text)[at+1:]
		}
		return "altered"
	case 2:
		repoint()
		*text = (*text)[:random.IntN(len(*text)+1)]
		return "cut off"
	case 3:
		repoint()
		return "re-pointed"
	}
	return "again"
}

// signatureForm is a hash as Plutu and Moamalat have it in their messages.
var signatureForm = regexp.MustCompile(`[0-9A-Fa-f]{64}`)

// corrupted is a text with a character changed.
func corrupted(s string, random *rand.Rand) string {
	at := random.IntN(len(s))
	with := byte('0')
	if s[at] == with {
		with = '1'
	}
	return s[:at] + string(with) + s[at+1:]
}

func (c *crowd) push(m pushed) int {
	address := c.servers[0] + m.path
	if m.query != "" {
		address += "?" + m.query
	}
	req, err := http.NewRequest(m.method, address, strings.NewReader(m.body))
	if err != nil {
		return 0
	}
	maps.Copy(req.Header, m.header)
	res, err := c.client.Do(req)
	if err != nil {
		c.t.Error(err)
		return 0
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}
