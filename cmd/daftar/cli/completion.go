package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// OfferChoices makes shells complete what has fixed values: a flag ("user create --role") or the
// first argument ("feed release") of a command. Each command checks its values itself.
func OfferChoices(root *cobra.Command, choices map[string][]string) {
	for what, values := range choices {
		command, flag, isFlag := strings.Cut(what, " --")
		c, _, err := root.Find(strings.Fields(command))
		offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
		if err == nil && isFlag {
			err = c.RegisterFlagCompletionFunc(flag, offer)
		} else if err == nil {
			c.ValidArgsFunction = firstOnly(offer)
		}
		if err != nil {
			panic("cli: complete " + what + ": " + err.Error())
		}
	}
}

// firstOnly offers nothing after the first argument, unless the command takes several.
func firstOnly(offer cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && !strings.Contains(c.Use, "...") {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offer(c, args, begun)
	}
}

// Texts are the values as text.
func Texts[T ~string](values []T) []string {
	all := make([]string, len(values))
	for n, v := range values {
		all[n] = string(v)
	}
	return all
}
