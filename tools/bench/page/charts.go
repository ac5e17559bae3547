package page

import (
	"daftar/tools/bench/chart"
	"daftar/tools/bench/figures"
)

// Files of the charts that do not come from growth.
const (
	chartThroughput = "requests.svg"
	chartLatency    = "latency.svg"
	chartCost       = "cost.svg"
)

// shown are the figures of the charts of requests, with the colour of their bars:
// ours, and what they stand beside.
var shown = []struct {
	name, short string
	colour      int
}{
	{"pgbench: one transaction per intent", "pgbench: one transaction each", 1},
	{"creates over HTTP", "creates", 0},
	{"repeated creates over HTTP", "repeated creates", 0},
	{"bare net/http: the answer to a create", "bare net/http: create", 2},
	{"pgbench: reads by primary key", "pgbench: reads by key", 1},
	{"reads over HTTP", "reads", 0},
	{"bare net/http: the answer to a read", "bare net/http: read", 2},
	{"pgbench: one write to four reads", "pgbench: 1 write to 4 reads", 1},
	{"one create to four reads over HTTP", "1 create to 4 reads", 0},
}

// slow are the figures of the chart of latencies.
var slow = []struct{ name, short string }{
	{"creates at half that rate", "creates at half the highest rate"},
	{"pay page over HTTP, 50 a second", "pay page"},
	{"static page over HTTP, 50 a second", "static page"},
}

// Charts draws the charts of a page, by the names of their files.
func Charts(f figures.File) map[string][]byte {
	all := map[string][]byte{}
	if f.Table != nil {
		throughput, cost := requestCharts(f.Table.Figures)
		all[chartThroughput], all[chartCost] = throughput.SVG(), cost.SVG()
		all[chartLatency] = latencyChart(f.Table.Figures).SVG()
	}
	if f.Growth != nil {
		for _, s := range f.Growth.Charts {
			all[s.Key+".svg"] = growthChart(s).SVG()
		}
	}
	return all
}

func find(all []figures.Figure, name string) (figures.Figure, bool) {
	for _, f := range all {
		if f.Name == name {
			return f, true
		}
	}
	return figures.Figure{}, false
}

func requestCharts(all []figures.Figure) (throughput, cost chart.Bars) {
	throughput = chart.Bars{Title: "Requests a second, beside what bounds them", X: "a second"}
	cost = chart.Bars{
		Title: "Processor time for one request", X: "microseconds",
		Parts: []string{"server", "PostgreSQL", "client"},
	}
	for _, s := range shown {
		f, found := find(all, s.name)
		if !found {
			continue
		}
		throughput.Bars = append(throughput.Bars, chart.Bar{Name: s.short, Values: []float64{f.Value}, Colour: s.colour})
		if f.Cost != nil {
			cost.Bars = append(cost.Bars, chart.Bar{Name: s.short, Values: []float64{f.Cost.Server, f.Cost.Postgres, f.Cost.Client}})
		}
	}
	return throughput, cost
}

func latencyChart(all []figures.Figure) chart.Lines {
	c := chart.Lines{
		Title: "How long one in so many takes at the most", X: "share of the requests", Y: "milliseconds",
		Words: []string{"50 %", "90 %", "99 %", "99.9 %"},
	}
	for _, s := range slow {
		f, found := find(all, s.name)
		if !found || f.Latency == nil {
			continue
		}
		l := f.Latency
		c.Lines = append(c.Lines, chart.Line{Name: s.short, Points: []chart.Point{{X: 0, Y: l.P50}, {X: 1, Y: l.P90}, {X: 2, Y: l.P99}, {X: 3, Y: l.P999}}})
	}
	return c
}

func growthChart(s figures.Series) chart.Lines {
	c := chart.Lines{Title: s.Title, X: s.Over, Y: "a second", LogX: s.Over != "servers"}
	for _, l := range s.Lines {
		line := chart.Line{Name: l.Name}
		for _, p := range l.Points {
			line.Points = append(line.Points, chart.Point{X: p.At, Y: p.Figure.Value})
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}
