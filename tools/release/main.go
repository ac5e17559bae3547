package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	devcommands "daftar/cmd/daftar-dev/commands"
	"daftar/cmd/daftar/commands"
)

func main() {
	var r release
	flag.StringVar(&r.root, "root", ".", "the source's `folder`")
	flag.StringVar(&r.version, "version", "", "the `version`, such as 1.0.0")
	flag.StringVar(&r.binaries, "binaries", "", "the `folder` with a folder for each platform")
	flag.StringVar(&r.out, "out", "", "the `folder` that gets the release")
	date := flag.String("date", "", "the `time` that files get, by RFC 3339")
	flag.Parse()
	if err := run(&r, *date); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(r *release, date string) (err error) {
	if r.version == "" || r.binaries == "" || r.out == "" {
		return errors.New("-version, -binaries and -out are needed")
	}
	if r.date, err = time.Parse(time.RFC3339, date); err != nil {
		return fmt.Errorf("-date: %w", err)
	}
	r.date = r.date.UTC().Truncate(time.Second)
	return r.make()
}

// release are the inputs and the output folder of a release.
type release struct {
	root, version, binaries, out string
	date                         time.Time
}

// platforms are those that may have binaries, in the order of the image's index.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "-" + p.arch }

// make makes everything for which there are binaries.
func (r *release) make() error {
	pages, err := manual(commands.Root, r.version, r.date)
	if err != nil {
		return err
	}
	devPages, err := manual(devcommands.Root, r.version, r.date)
	if err != nil {
		return err
	}
	if err := r.writePlugin(); err != nil {
		return err
	}
	var images []platform
	for _, p := range platforms {
		if _, err := os.Stat(filepath.Join(r.binaries, p.String())); err != nil {
			continue
		}
		files, placed, err := r.contents(p)
		if err != nil {
			return err
		}
		err = errors.Join(r.writeArchive("daftar", p, placed, files, pages), r.writeSBOM("daftar", p))
		if err != nil {
			return err
		}
		dev, err := r.devContents(p, files)
		if err != nil {
			return err
		}
		err = errors.Join(
			r.writeArchive("daftar-dev", p, placed, dev, devPages),
			r.writeSBOM("daftar-dev", p),
		)
		if err != nil {
			return err
		}
		if p.os != "linux" {
			continue
		}
		err = errors.Join(r.writePackage(p, placed, files, pages), r.writeDevPackage(p, dev, devPages))
		if err != nil {
			return err
		}
		images = append(images, p)
	}
	if len(images) == 0 {
		return fmt.Errorf("%s has no folder of a Linux", r.binaries)
	}
	return r.writeImage(images)
}
