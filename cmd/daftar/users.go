package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daftar/accounts"
)

func (p *program) user() *cobra.Command {
	return group("user", "The people of an organisation", p.userCreate(), p.userList(), p.userSetPassword(), p.userResetSecondFactor())
}

// maxPasswordInput bounds what is read for a password: more is a mistake.
const maxPasswordInput = 4096

// readPassword takes the first line of standard input: a password among the
// arguments would be seen by everybody who lists processes.
func (p *program) readPassword(fromStdin bool) (string, error) {
	if !fromStdin {
		return "", misusef("--password-stdin: the password is read from standard input only; say so")
	}
	text, err := io.ReadAll(io.LimitReader(p.in, maxPasswordInput))
	if err != nil {
		return "", fmt.Errorf("read password: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSuffix(line, "\r"), nil
}

func userJSON(u accounts.User) map[string]any {
	return map[string]any{"uuid": u.ID.String(), "email": u.Email}
}

func (p *program) userCreate() *cobra.Command {
	var org, email, role string
	var fromStdin bool
	c := &cobra.Command{
		Use: "create --org U --email E --role ROLE --password-stdin", Short: "Create a user, or add an existing one to an organisation",
		Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			of, err := accounts.ParseOrganizationID(org)
			if err != nil {
				return misusef("--org: %w", err)
			}
			password, err := p.readPassword(fromStdin)
			if err != nil {
				return err
			}
			return p.withAccounts(c.Context(), false, func(a *accounts.Accounts) error {
				u, existed, err := a.CreateUser(c.Context(), byOperator(), of, email, accounts.Role(role), password)
				if err != nil {
					return err
				}
				if existed {
					p.tellf("%s had an account already: added to the organisation, the password stays as it was.", u.Email)
				}
				answer := userJSON(u)
				answer["role"], answer["existed"] = role, existed
				return p.answer(map[string]any{"user": answer}, fmt.Sprintf("user  %s  %s  %s\n", u.ID, u.Email, role))
			})
		}),
	}
	c.Flags().StringVar(&org, "org", "", "uuid of the organisation")
	c.Flags().StringVar(&email, "email", "", "the address to sign in with")
	c.Flags().StringVar(&role, "role", "", "owner, developer or viewer")
	c.Flags().BoolVar(&fromStdin, "password-stdin", false, "read the password from standard input, 8 to 128 characters")
	mustRequire(c, "org", "email", "role", "password-stdin")
	return c
}

func (p *program) userList() *cobra.Command {
	var org string
	c := &cobra.Command{
		Use: "list --org U", Short: "List the people of an organisation", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			of, err := accounts.ParseOrganizationID(org)
			if err != nil {
				return misusef("--org: %w", err)
			}
			return p.withAccounts(c.Context(), false, func(a *accounts.Accounts) error {
				if _, err := a.Organization(c.Context(), of); err != nil {
					return err
				}
				members, err := a.Members(c.Context(), byOperator(), of)
				if err != nil {
					return err
				}
				return p.showMembers(members)
			})
		}),
	}
	c.Flags().StringVar(&org, "org", "", "uuid of the organisation")
	mustRequire(c, "org")
	return c
}

func (p *program) showMembers(members []accounts.Member) error {
	users := make([]map[string]any, 0, len(members))
	var text strings.Builder
	for _, m := range members {
		users = append(users, map[string]any{
			"uuid": m.ID.String(), "email": m.Email, "role": m.Role, "second_factor": m.SecondFactor, "since": m.Since,
		})
		factor := "password only"
		if m.SecondFactor {
			factor = "second factor"
		}
		fmt.Fprintf(&text, "%s  %-9s  %-13s  since %s  %s\n", m.ID, m.Role, factor, m.Since.Format(time.DateOnly), m.Email)
	}
	return p.answer(map[string]any{"users": users}, text.String())
}

func (p *program) userSetPassword() *cobra.Command {
	var fromStdin bool
	c := &cobra.Command{
		Use: "set-password E --password-stdin", Short: "Set a user's password and end all their sessions", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			password, err := p.readPassword(fromStdin)
			if err != nil {
				return err
			}
			return p.onUser(c.Context(), "password set, all sessions ended", func(a *accounts.Accounts) (accounts.User, error) {
				return a.SetPassword(c.Context(), byOperator(), args[0], password)
			})
		}),
	}
	c.Flags().BoolVar(&fromStdin, "password-stdin", false, "read the password from standard input, 8 to 128 characters")
	mustRequire(c, "password-stdin")
	return c
}

func (p *program) userResetSecondFactor() *cobra.Command {
	return &cobra.Command{
		Use: "reset-second-factor E", Short: "Let a user sign in with the password alone, after a lost phone", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			return p.onUser(c.Context(), "second factor removed", func(a *accounts.Accounts) (accounts.User, error) {
				return a.ResetSecondFactor(c.Context(), byOperator(), args[0])
			})
		}),
	}
}

// onUser changes one user and says what became of them.
func (p *program) onUser(ctx context.Context, what string, change func(*accounts.Accounts) (accounts.User, error)) error {
	return p.withAccounts(ctx, false, func(a *accounts.Accounts) error {
		u, err := change(a)
		if errors.Is(err, accounts.ErrNoUser) {
			return accounts.ErrNoUser // without the steps that led there
		}
		if err != nil {
			return err
		}
		return p.answer(map[string]any{"user": userJSON(u)}, fmt.Sprintf("user  %s  %s  %s\n", u.ID, u.Email, what))
	})
}
