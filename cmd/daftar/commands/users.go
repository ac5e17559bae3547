package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/dashboard/view"
)

func (p *program) user() *cobra.Command {
	return cli.Group("user", "The people of an organisation",
		p.userCreate(), p.userList(), p.userSetPassword(),
		cli.Command("remove-passkeys E",
			"Remove all passkeys of a user and end their sessions, after lost devices",
			p.onUser("passkeys removed, all sessions ended",
				func(ctx context.Context, d directory) (people.User, error) {
					return d.people.ResetPasskeys(ctx, operator(), d.args[0])
				})),
		cli.Command("reset-second-factor E",
			"Remove a user's authenticator app and recovery codes, after a lost phone",
			p.onUser("second factor removed",
				func(ctx context.Context, d directory) (people.User, error) {
					return d.people.ResetSecondFactor(ctx, operator(), d.args[0])
				})))
}

type userAnswer struct {
	UUID  accounts.UserID `json:"uuid"  label:"user"`
	Email string          `json:"email" label:"email"`
}

// maxPasswordInput bounds what is read for a password: more is a mistake.
const maxPasswordInput = 4096

// passwordFlag declares the flag for a password on standard input: everyone who lists
// processes would see a password among the arguments.
func passwordFlag(c *cobra.Command) {
	c.Flags().BoolFunc("password-stdin", "read the password from standard input, 8 to 128 characters",
		func(text string) error {
			if text != "true" {
				return cli.Misusef("the password is read from standard input only; say so")
			}
			return nil
		})
}

func (p *program) readPassword() (string, error) {
	read, err := io.ReadAll(io.LimitReader(p.Call.In, maxPasswordInput))
	if err != nil {
		return "", fmt.Errorf("read password: %w", err)
	}
	text, err := config.SecretText(read)
	if err != nil {
		return "", cli.Misusef("--password-stdin: %w", err)
	}
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r"), nil
}

// newMember holds the flags of `user create`.
type newMember struct {
	org      accounts.OrganizationID
	email    string
	role     accounts.Role
	existing bool
}

func (p *program) userCreate() *cobra.Command {
	var m newMember
	c := cli.Command("create --org U --email E --role ROLE --password-stdin [--existing]",
		"Create a user, or invite an existing one to an organisation",
		p.onAccounts(func(ctx context.Context, d directory) error {
			password, err := p.readPassword()
			if err != nil {
				return err
			}
			u, err := d.people.CreateUser(ctx, operator(), m.org, m.email, m.role, password)
			if errors.Is(err, people.ErrEmailTaken) {
				return p.inviteExisting(ctx, d, m)
			}
			return p.show("user", createdUser{userAnswer: userAnswer{u.ID, u.Email}, Role: m.role}, err)
		}))
	c.Long = `Create a user who is a member of an organisation, with the first line of standard input as
the password.

Where the address has an account already, that is not added, because somebody else may
have made it in advance. It is invited, and joins when the invitation is accepted with
the account's own password. The link goes by mail (DAFTAR_SMTP_SERVER). Where mail is off,
the command says which organisations know the account and stops; with --existing it
prints the link, for you to hand to the person yourself.`
	cli.Flag(c, &m.org, "org", "`uuid` of the organisation", accounts.ParseOrganizationID)
	c.Flags().StringVar(&m.email, "email", "", "the address to sign in with")
	cli.Flag(c, &m.role, "role", "`role`: owner, developer, finance, support or viewer", accounts.ParseRole)
	cli.Offer(c, "role", accounts.Roles...)
	c.Flags().BoolVar(&m.existing, "existing", false, "the account that the address has is the person's own")
	passwordFlag(c)
	return c
}

type createdUser struct {
	userAnswer

	Role    accounts.Role `json:"role"                 label:"role"`
	Existed bool          `json:"existed"`
	Link    string        `json:"invitation,omitempty"`
}

// inviteExisting invites the account that the address has already.
func (p *program) inviteExisting(ctx context.Context, d directory, m newMember) error {
	u, err := d.people.FindUser(ctx, operator(), m.email)
	switch {
	case err != nil:
		return err
	case u.Role(m.org) != "":
		return people.ErrAlreadyMember
	case !d.people.SendsMail() && !m.existing:
		return fmt.Errorf("%w, %s, made on %s\nIf it is the person's own, repeat this with --existing",
			people.ErrEmailTaken, membershipsText(u), u.CreatedAt.UTC().Format(time.DateOnly))
	}
	i, token, err := d.people.Invite(ctx, operator(), m.org, m.email, m.role)
	if err != nil {
		return err
	}
	p.Notef("%s has an account already, %s. "+
		"It joins when the invitation is accepted with the account's password, until %s.",
		u.Email, membershipsText(u), i.ExpiresAt.UTC().Format(time.RFC3339))
	answer := createdUser{userAnswer: userAnswer{u.ID, u.Email}, Role: m.role, Existed: true}
	if i.ByMail {
		return p.Named("user", answer, "The invitation goes to the address by mail.")
	}
	answer.Link = view.InvitationLink(d.PublicURL, token)
	return p.Named("user", answer, "Hand this link to the person yourself; it is not shown again:", answer.Link)
}

// membershipsText names the organisations in which an account is a member.
func membershipsText(u people.User) string {
	if len(u.Memberships) == 0 {
		return "in no organisation"
	}
	names := make([]string, len(u.Memberships))
	for n, m := range u.Memberships {
		names[n] = fmt.Sprintf("%q (%s, %s)", m.Name, m.Role, m.Organization)
	}
	return "in " + strings.Join(names, ", ")
}

func (p *program) userList() *cobra.Command {
	return ofOrganization(p, "List the people of an organisation", "users",
		func(ctx context.Context, d directory, org accounts.OrganizationID) ([]people.Member, error) {
			return d.people.Members(ctx, operator(), org)
		})
}

func (p *program) userSetPassword() *cobra.Command {
	c := cli.Command("set-password E --password-stdin", "Set a user's password and end all their sessions",
		p.onUser("password set, all sessions ended", func(ctx context.Context, d directory) (people.User, error) {
			password, err := p.readPassword()
			if err != nil {
				return people.User{}, err
			}
			return d.people.SetPassword(ctx, operator(), d.args[0], password)
		}))
	passwordFlag(c)
	return c
}

// onUser changes the user whose address is the first argument, and prints done.
func (p *program) onUser(done string,
	change func(context.Context, directory) (people.User, error),
) cli.Action {
	return p.onAccounts(func(ctx context.Context, d directory) error {
		u, err := change(ctx, d)
		if errors.Is(err, people.ErrNoUser) {
			return people.ErrNoUser // without what wraps it
		}
		return p.show("user", userAnswer{u.ID, u.Email}, err, done)
	})
}
