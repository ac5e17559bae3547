package cli

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func (p *Program) version(name string) *cobra.Command {
	return Command("version", "Say which version this is", func(context.Context, []string) error {
		type version struct {
			Version  string `json:"version"`
			Go       string `json:"go"`
			Platform string `json:"platform"`
		}
		v := version{p.Call.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
		return p.Answer(v, fmt.Sprintf("%s %s, %s, %s", name, v.Version, v.Go, v.Platform))
	})
}
