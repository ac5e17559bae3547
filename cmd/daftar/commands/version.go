package commands

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func (p *program) version() *cobra.Command {
	return command("version", "Say which version this is", func(context.Context, []string) error {
		type version struct {
			Version  string `json:"version"`
			Go       string `json:"go"`
			Platform string `json:"platform"`
		}
		v := version{p.call.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
		return p.Answer(v, fmt.Sprintf("daftar %s, %s, %s", v.Version, v.Go, v.Platform))
	})
}

// Tree is all commands, for what describes them, such as manual pages.
func Tree(version string) *cobra.Command {
	p := &program{call: Call{Version: version}}
	return p.root()
}
