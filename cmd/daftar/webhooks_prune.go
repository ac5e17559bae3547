package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"daftar/webhooks"
)

// leastPruned is how long finished deliveries are kept in any case: people look at
// them, and resend.
const leastPruned = 24 * time.Hour

func (p *program) webhookPrune() *cobra.Command {
	var olderThan time.Duration
	var dry bool
	c := &cobra.Command{
		Use: "prune --older-than 720h [--dry-run]", Args: cobra.NoArgs,
		Short: "Delete deliveries that were finished before, with their tries",
		Long: `Delete deliveries that were finished before, with their tries.

Finished are those that arrived and those whose tries are used up, since their
last try. What is pending or held stays. The log is not touched: daftar webhooks
replay makes deliveries anew from it, with the same ids.`,
		RunE: running(func(c *cobra.Command, _ []string) error {
			if olderThan < leastPruned {
				return misusef("--older-than: at least %s; people look at what is younger", leastPruned)
			}
			before := time.Now().Add(-olderThan)
			return p.onDeliveries(c.Context(), func(d *webhooks.Deliveries, _ webhooks.Tenant) error {
				pruned, err := d.Prune(c.Context(), byOperator(), before, dry)
				if err != nil {
					return err
				}
				says := "deleted"
				if dry {
					says = "would be deleted"
				}
				return p.answer(map[string]any{
					"before": before.UTC(), "dry_run": dry, "pruned": map[string]any{"deliveries": pruned.Deliveries, "tries": pruned.Tries},
				}, fmt.Sprintf("%s deliveries and %s tries from before %s %s\n", grouped(pruned.Deliveries), grouped(pruned.Tries),
					before.UTC().Format(time.RFC3339), says))
			})
		}),
	}
	c.Flags().DurationVar(&olderThan, "older-than", 0, "how long ago they were finished, at least")
	c.Flags().BoolVar(&dry, "dry-run", false, "only say how many")
	mustRequire(c, "older-than")
	return c
}
