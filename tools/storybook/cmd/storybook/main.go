// Command storybook shows every page that people see, in both languages and both
// colour schemes, without a database:
//
//	storybook [-listen 127.0.0.1:8070]
//	storybook -write DIR
//
// With -write it does not serve the pages, but writes them as files that can be opened from
// the folder. Exit status: 0 done, 1 it failed, 2 misuse.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"daftar/tools/storybook"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, out, messages io.Writer) int {
	flags := flag.NewFlagSet("storybook", flag.ContinueOnError)
	flags.SetOutput(messages)
	listen := flags.String("listen", "127.0.0.1:8070", "`address` to serve the pages on")
	write := flags.String("write", "", "`directory` to write the pages to, instead of serving them")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(messages, "storybook: what is %q? See storybook -help\n", flags.Arg(0))
		return 2
	}
	files, err := storybook.Files()
	if err == nil {
		if *write != "" {
			err = writeAll(*write, files)
			if err == nil {
				fmt.Fprintf(out, "%s\n", filepath.Join(*write, "index.html"))
			}
		} else {
			err = serve(ctx, *listen, storybook.Handler(files), out)
		}
	}
	if err != nil {
		fmt.Fprintf(messages, "storybook: %v\n", err)
		return 1
	}
	return 0
}

func writeAll(dir string, files map[string][]byte) error {
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // public pages
			return fmt.Errorf("make folder: %w", err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil { //nolint:gosec // public pages
			return fmt.Errorf("write page: %w", err)
		}
	}
	return nil
}

// serve answers until ctx ends.
func serve(ctx context.Context, address string, h http.Handler, out io.Writer) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	fmt.Fprintf(out, "http://%s/\n", l.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	if err := server.Close(); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}
