package cli

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daftar/domain"
)

// Action is what a command does. What goes wrong in it is no misuse, unless it is a
// config.Error.
type Action func(ctx context.Context, args []string) error

// bracketed are the parts of a usage that may be left out.
var bracketed = regexp.MustCompile(`\[[^]]*\]`)

// requiredWords are those after the command's name in a usage that may not be left out.
func requiredWords(use string) []string {
	return strings.Fields(bracketed.ReplaceAllString(use, ""))[1:]
}

// Command makes a command with an argument for each required word of use before its
// first flag.
func Command(use, short string, do Action) *cobra.Command {
	count := 0
	for _, word := range requiredWords(use) {
		if strings.HasPrefix(word, "--") {
			break
		}
		count++
	}
	arguments := cobra.NoArgs // names the first one too many
	if count > 0 {
		arguments = cobra.ExactArgs(count)
	}
	return &cobra.Command{
		Use: use, Short: short, Args: arguments,
		RunE: func(c *cobra.Command, args []string) error {
			if err := do(c.Context(), args); err != nil {
				return failed{err}
			}
			return nil
		},
	}
}

// Group is a command that only has subcommands.
func Group(use, short string, subcommands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return Misusef("%s: name a subcommand; see %s --help", c.Name(), c.CommandPath())
		},
	}
	c.AddCommand(subcommands...)
	return c
}

// Flag declares a flag that parse reads; a value that parse refuses is misuse. Backquotes in
// usage mark the value's name for people.
func Flag[T any](c *cobra.Command, into *T, name, usage string, parse func(string) (T, error)) {
	c.Flags().Func(name, usage, func(text string) (err error) {
		// A script passes --org "$ORG" whether it has one or not.
		_, required := c.Flags().Lookup(name).Annotations[cobra.BashCompOneRequiredFlag]
		if text == "" && !required {
			return nil
		}
		*into, err = parse(text)
		return err
	})
}

// Choice declares a flag for one of some words, which shells complete.
func Choice[T ~string](c *cobra.Command, into *T, name, usage string, known ...T) {
	Flag(c, into, name, usage, OneOf(known...))
	Offer(c, name, known...)
}

// Offer makes shells complete a flag. The flag checks its value itself.
func Offer[T ~string](c *cobra.Command, flag string, values ...T) {
	offer := cobra.FixedCompletions(texts(values), cobra.ShellCompDirectiveNoFileComp)
	if err := c.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic("cli: complete --" + flag + ": " + err.Error())
	}
}

// OfferArgument makes shells complete the first argument, or each where the command takes
// several. The command checks them itself.
func OfferArgument(c *cobra.Command, values []string) *cobra.Command {
	c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && !strings.Contains(c.Use, "...") {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
	return c
}

// Argument makes parse read the first argument; a value that parse refuses is misuse.
func Argument[T any](c *cobra.Command, into *T, parse func(string) (T, error)) *cobra.Command {
	counted := c.Args
	c.Args = func(c *cobra.Command, args []string) (err error) {
		if err = counted(c, args); err == nil {
			*into, err = parse(args[0])
		}
		return err
	}
	return c
}

// Before runs check before the command opens anything, so that misuse fails early.
func Before(c *cobra.Command, check func(args []string) error) *cobra.Command {
	c.PreRunE = func(_ *cobra.Command, args []string) error { return check(args) }
	return c
}

// requireFlags makes cobra refuse calls without the flags that a command's use requires.
func requireFlags(c *cobra.Command) {
	for _, word := range requiredWords(c.Use) {
		if name, is := strings.CutPrefix(word, "--"); is {
			if err := c.MarkFlagRequired(name); err != nil {
				panic("cli: " + err.Error())
			}
		}
	}
	for _, sub := range c.Commands() {
		requireFlags(sub)
	}
}

// ParseTime reads a time of RFC 3339.
func ParseTime(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, Misusef("%q is no time such as 2026-11-20T12:00:00Z", text)
	}
	return at, nil
}

// Pointer makes a parser whose value is nil while the flag is not given.
func Pointer[T any](parse func(string) (T, error)) func(string) (*T, error) {
	return func(text string) (*T, error) {
		v, err := parse(text)
		return &v, err
	}
}

// Positive reads a position, a version or a limit.
func Positive[T int | int64](text string) (T, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, Misusef("%q is no number from 1 on", text)
	}
	return T(n), nil
}

// ParseIntent reads the uuid of an intent.
func ParseIntent(text string) (domain.IntentID, error) {
	id, err := domain.ParseIntentID(text)
	if err != nil {
		return id, Misusef("%q is not the uuid of a payment intent", text)
	}
	return id, nil
}

// OneOf reads one of some words.
func OneOf[T ~string](known ...T) func(string) (T, error) {
	return func(text string) (T, error) {
		if slices.Contains(known, T(text)) {
			return T(text), nil
		}
		return "", Misusef("%q is none of %s", text, strings.Join(texts(known), ", "))
	}
}

func texts[T ~string](values []T) []string {
	all := make([]string, len(values))
	for n, v := range values {
		all[n] = string(v)
	}
	return all
}
