package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// What makes deliveries due notifies in the same transaction, so the dispatchers
// of all servers are notified by the commit. It is a hint: a lost one costs
// pollEvery.
const (
	notifySQL = `SELECT pg_notify('daftar_webhooks', '')`
	listenSQL = `LISTEN daftar_webhooks`
)

// listen wakes the Dispatcher for due deliveries until ctx ends, over a connection
// of its own.
func (d *Dispatcher) listen(ctx context.Context) {
	for ctx.Err() == nil {
		if err := d.listenOnce(ctx); err != nil && ctx.Err() == nil {
			d.log.Warn().Err(err).Msg("not notified of due deliveries, which wait for the next poll")
		}
		again := time.NewTimer(pollEvery)
		select {
		case <-again.C:
		case <-ctx.Done():
		}
		again.Stop()
	}
}

func (d *Dispatcher) listenOnce(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, d.pool.Config().ConnConfig.Copy())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(ctx, listenSQL); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	for {
		d.Wake() // also for what came before we listened
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return fmt.Errorf("wait for notification: %w", err)
		}
	}
}
