package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// table gathers the rounds of each measurement.
type table map[string][]result

func (t table) add(name string, r result) { t[name] = append(t[name], r) }

func (t table) rate(name string) float64 {
	return median(t[name], func(r result) float64 { return r.perSecond })
}

func (t table) print(w io.Writer, measurements []measurement) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "what\tper second\tp50\tp99\tratio\tmark\t")
	for _, m := range measurements {
		fmt.Fprintf(out, "%s\t%.0f\t%s\t%s\t", m.name, t.rate(m.name), t.latency(m.name, 0.50), t.latency(m.name, 0.99))
		if m.floor > 0 {
			fmt.Fprintf(out, "\t>= %.0f/s %s\t\n", m.floor, verdict(t.rate(m.name) >= m.floor))
			continue
		}
		if m.ceiling > 0 {
			fmt.Fprintf(out, "\t<= %s %s\t\n", m.ceiling, verdict(t.p(m.name, 0.99) <= m.ceiling))
			continue
		}
		if m.reference == "" {
			fmt.Fprintln(out, "\t\t")
			continue
		}
		ratio := t.rate(m.name) / t.rate(m.reference)
		fmt.Fprintf(out, "%.2f\t>= %.2f %s\t\n", ratio, m.mark, verdict(ratio >= m.mark))
	}
	_ = out.Flush()
}

func verdict(reached bool) string {
	if reached {
		return "reached"
	}
	return "MISSED"
}

func (t table) latency(name string, p float64) string {
	took := t.p(name, p)
	if took == 0 {
		return ""
	}
	return took.Round(10 * time.Microsecond).String()
}

func (t table) p(name string, p float64) time.Duration {
	return time.Duration(median(t[name], func(r result) float64 { return float64(r.percentile(p)) }))
}

func median(results []result, of func(result) float64) float64 {
	if len(results) == 0 {
		return 0
	}
	values := make([]float64, len(results))
	for n, r := range results {
		values[n] = of(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
