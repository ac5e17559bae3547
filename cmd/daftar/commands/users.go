package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"daftar/accounts"
)

func (p *program) user() *cobra.Command {
	return group("user", "The people of an organisation", p.userCreate(), p.userList(), p.userSetPassword(),
		command("reset-second-factor E", "Let a user sign in with the password alone, after a lost phone",
			p.onUser("second factor removed", func(ctx context.Context, a *accounts.Accounts, email string) (accounts.User, error) {
				return a.ResetSecondFactor(ctx, operator(), email)
			})))
}

type userAnswer struct {
	UUID  accounts.UserID `json:"uuid"  label:"user"`
	Email string          `json:"email" label:"email"`
}

// maxPasswordInput bounds what is read for a password: more is a mistake.
const maxPasswordInput = 4096

// passwordFlag has the first line of standard input read: a password among the
// arguments would be seen by everybody who lists processes.
func passwordFlag(c *cobra.Command) {
	c.Flags().BoolFunc("password-stdin", "read the password from standard input, 8 to 128 characters", func(text string) error {
		if text != "true" {
			return misusef("the password is read from standard input only; say so")
		}
		return nil
	})
}

func (p *program) readPassword() (string, error) {
	text, err := io.ReadAll(io.LimitReader(p.call.In, maxPasswordInput))
	if err != nil {
		return "", fmt.Errorf("read password: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSuffix(line, "\r"), nil
}

func (p *program) userCreate() *cobra.Command {
	var org accounts.OrganizationID
	var email, role string
	c := command("create --org U --email E --role ROLE --password-stdin", "Create a user, or add an existing one to an organisation",
		p.onAccounts(func(ctx context.Context, a *accounts.Accounts, _ []string) error {
			password, err := p.readPassword()
			if err != nil {
				return err
			}
			u, existed, err := a.CreateUser(ctx, operator(), org, email, accounts.Role(role), password)
			if err != nil {
				return err
			}
			if existed {
				p.Notef("%s had an account already: added to the organisation, the password stays as it was.", u.Email)
			}
			type created struct {
				userAnswer

				Role    string `json:"role"    label:"role"`
				Existed bool   `json:"existed"`
			}
			return p.Named("user", created{userAnswer{u.ID, u.Email}, role, existed})
		}))
	flag(c, &org, "org", "`uuid` of the organisation", accounts.ParseOrganizationID)
	c.Flags().StringVar(&email, "email", "", "the address to sign in with")
	c.Flags().StringVar(&role, "role", "", "owner, developer or viewer")
	passwordFlag(c)
	return c
}

func (p *program) userList() *cobra.Command {
	var org accounts.OrganizationID
	c := command("list --org U", "List the people of an organisation",
		p.onAccounts(func(ctx context.Context, a *accounts.Accounts, _ []string) error {
			if _, err := a.Organization(ctx, org); err != nil {
				return err
			}
			members, err := a.Members(ctx, operator(), org)
			if err != nil {
				return err
			}
			return p.Named("users", members)
		}))
	flag(c, &org, "org", "`uuid` of the organisation", accounts.ParseOrganizationID)
	return c
}

func (p *program) userSetPassword() *cobra.Command {
	c := command("set-password E --password-stdin", "Set a user's password and end all their sessions",
		p.onUser("password set, all sessions ended", func(ctx context.Context, a *accounts.Accounts, email string) (accounts.User, error) {
			password, err := p.readPassword()
			if err != nil {
				return accounts.User{}, err
			}
			return a.SetPassword(ctx, operator(), email, password)
		}))
	passwordFlag(c)
	return c
}

// onUser changes the user whose address is the first argument, and says what was done.
func (p *program) onUser(done string, change func(ctx context.Context, a *accounts.Accounts, email string) (accounts.User, error)) action {
	return p.onAccounts(func(ctx context.Context, a *accounts.Accounts, args []string) error {
		u, err := change(ctx, a, args[0])
		if errors.Is(err, accounts.ErrNoUser) {
			return accounts.ErrNoUser // without the steps that led there
		}
		if err != nil {
			return err
		}
		return p.Named("user", userAnswer{u.ID, u.Email}, done)
	})
}
