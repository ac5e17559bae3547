package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	devcommands "daftar/cmd/daftar-dev/commands"
	"daftar/cmd/daftar/cli"
	daftarcommands "daftar/cmd/daftar/commands"
	"daftar/cmd/daftar/config"
)

const aboutCommands = `# Commands

<!-- Written by go generate ./docs from the commands of daftar and daftar-dev; change those. -->

` + "`daftar`" + ` runs and operates the service. ` +
	"`daftar-dev`" + ` is for developers: it moves play money only, and
production does not need it. Each command explains itself with ` + "`--help`" + `. ` +
	`With ` + "`--json`" + ` the answer is one
JSON value on standard output, without it text for people; messages and progress go to standard error. Words
in capitals stand for your values, and what is in brackets may be left out. The settings are
[variables](variables.md).
`

// commands returns the text of docs/operate/commands.md.
func commands() string {
	var b strings.Builder
	b.WriteString(aboutCommands + "\n" + cli.ExitCodes + "\n")
	for _, program := range []cli.Commands{daftarcommands.Root, devcommands.Root} {
		root := program(&cli.Program{})
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| | commands |\n|---|---|\n", root.Name(), root.Short)
		for _, c := range visible(root) {
			var links []string
			for _, one := range leaves(c) {
				name := strings.TrimPrefix(one.CommandPath(), root.Name()+" ")
				anchor := strings.ReplaceAll(one.CommandPath(), " ", "-")
				links = append(links, "[`"+name+"`](#"+anchor+")")
			}
			fmt.Fprintf(&b, "| %s | %s |\n", c.Short, strings.Join(links, ", "))
		}
		for _, c := range leaves(root) {
			writeCommand(&b, c)
		}
	}
	return b.String()
}

// visible are the commands directly below one, without hidden former names.
func visible(c *cobra.Command) (all []*cobra.Command) {
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			all = append(all, sub)
		}
	}
	return all
}

// leaves are the commands at or below one that can be run.
func leaves(c *cobra.Command) (all []*cobra.Command) {
	below := visible(c)
	if len(below) == 0 {
		return []*cobra.Command{c}
	}
	for _, sub := range below {
		all = append(all, leaves(sub)...)
	}
	return all
}

// writeCommand writes the help of a command, without the global flags.
func writeCommand(to *strings.Builder, c *cobra.Command) {
	about := c.Long
	if about == "" {
		about = c.Short + "."
	}
	about = strings.Replace(about, config.Help(), "They are listed in docs/operate/variables.md.\n\n", 1)
	_, arguments, _ := strings.Cut(c.Use, " ")
	usage := strings.TrimSpace(c.CommandPath() + " " + arguments)
	fmt.Fprintf(to, "\n### %s\n\n```text\n%s\n\n    %s\n", c.CommandPath(), strings.TrimSpace(about), usage)
	if flags := c.NonInheritedFlags().FlagUsages(); flags != "" {
		fmt.Fprintf(to, "\n%s", flags)
	}
	to.WriteString("```\n")
}
