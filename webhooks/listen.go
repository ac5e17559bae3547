package webhooks

import "daftar/internal/worker"

// What makes deliveries due notifies in the same transaction, so the dispatchers
// of all servers are notified by the commit. It is a hint: a lost one costs
// pollEvery.
const (
	channel   = "daftar_webhooks"
	notifySQL = `SELECT pg_notify('` + channel + `', '')`
)

// listener wakes the Dispatcher for due deliveries.
func (d *Dispatcher) listener() worker.Listener {
	return worker.Listener{
		Connection: d.pool.Config().ConnConfig, Channel: channel, Notified: func(string) { d.Wake() },
		Retry: pollEvery, Log: d.log,
	}
}
