package accounts

import (
	"fmt"
	"slices"
	"strings"
)

// Actor is the caller, and where the request came from. Every method that touches an
// organisation's data takes one; the zero Actor may do nothing.
type Actor struct {
	// User is zero for an operator.
	User UserID
	// Epoch is the user's session epoch: an actor whose sessions were ended may do
	// nothing.
	Epoch int64
	// Name is what the audit trail calls the actor: an email address, or
	// operator:NAME.
	Name string
	// Address is the client's network address; empty for an operator.
	Address string
	// Device is what people.People.Device gave the browser earlier; may be empty, or anything.
	Device string
	// RequestID is the request's number in our log; may be empty.
	RequestID string
	// Form is the number of the form that was sent: a form that is sent again creates
	// nothing a second time (see ErrCreated). Empty: no form.
	Form string

	operator bool
}

// IsOperator reports whether the actor is at the command line of the server.
func (a Actor) IsOperator() bool { return a.operator }

// Operator is the actor at the command line of the server, who may do everything.
func Operator(name string) Actor { return Actor{Name: "operator:" + name, operator: true} }

// Role is what a user is in an organisation.
type Role string

// The roles.
const (
	RoleOwner     Role = "owner"
	RoleDeveloper Role = "developer"
	// RoleFinance decides about money, exports and reconciles.
	RoleFinance Role = "finance"
	// RoleSupport helps customers: finds a payment, sends its webhook again, shares its receipt.
	RoleSupport Role = "support"
	RoleViewer  Role = "viewer"
)

// Roles are all roles, in the order in which they are offered.
var Roles = []Role{RoleOwner, RoleDeveloper, RoleFinance, RoleSupport, RoleViewer}

// ParseRole reads the name of a role. The error is ErrInvalid, and names them all.
func ParseRole(name string) (Role, error) {
	if r := Role(name); r.Valid() {
		return r, nil
	}
	names := make([]string, len(Roles))
	for n, r := range Roles {
		names[n] = string(r)
	}
	return "", fmt.Errorf("%w: %q is none of the roles %s", ErrInvalid, name, strings.Join(names, ", "))
}

// Permission is something that a role allows.
type Permission string

// The permissions.
const (
	// SeePayments covers payments, their history and notes, open decisions, and the names of
	// applications.
	SeePayments Permission = "see payments"
	// CreatePayments covers asking a customer for a payment by hand.
	CreatePayments Permission = "create payments"
	// SeeMoney covers sums.
	SeeMoney Permission = "see money"
	// ExportPayments covers files, and comparisons with acquirers' statements: both take
	// many payments at a time.
	ExportPayments Permission = "export payments"
	// DecidePayments covers decisions about late and duplicate payments.
	DecidePayments Permission = "decide payments"
	// RefundPayments covers refunds, and recording one that was made elsewhere.
	RefundPayments Permission = "refund payments"
	// SettleOutcomes covers saying what became of payments and refunds whose outcome is unknown.
	SettleOutcomes Permission = "settle outcomes"
	// KeepBooks covers accepting a provider's statement, correcting its settlements, the contract's fees,
	// and closing a day.
	KeepBooks Permission = "keep books"
	// WriteNotes covers notes on payments.
	WriteNotes Permission = "write notes"
	// ShareReceipts covers the public address at which anyone can check a receipt.
	ShareReceipts Permission = "share receipts"
	// SeeWebhooks covers deliveries, their tries and the health of endpoints.
	SeeWebhooks Permission = "see webhooks"
	// ResendWebhooks covers sending one delivery again.
	ResendWebhooks Permission = "resend webhooks"
	// SendWebhooks covers replays and tests, and enabling an endpoint again.
	SendWebhooks Permission = "send webhooks"
	// SeeDevelopers covers the developers' corner.
	SeeDevelopers Permission = "see developers' corner"
	// SeeCredentials covers endings and uses of keys and tokens; values are never
	// shown after their creation.
	SeeCredentials Permission = "see credentials"
	// ChangeCredentials covers applications, keys, secrets, tokens and webhook
	// URLs.
	ChangeCredentials Permission = "change credentials"
	// GrantRefunds covers access tokens with ScopeRefunds.
	GrantRefunds Permission = "grant refunds"
	SeePeople    Permission = "see people"
	ManagePeople Permission = "manage people"
	SeeAudit     Permission = "see audit trail"
)

// Permissions are all permissions.
var Permissions = []Permission{
	SeePayments, CreatePayments, SeeMoney, ExportPayments, DecidePayments, RefundPayments, SettleOutcomes,
	KeepBooks, WriteNotes, ShareReceipts, SeeWebhooks, ResendWebhooks, SendWebhooks, SeeDevelopers,
	SeeCredentials, ChangeCredentials, GrantRefunds, SeePeople, ManagePeople, SeeAudit,
}

// allowed is the one place that says what a role may do.
var allowed = map[Role][]Permission{
	RoleOwner: Permissions,
	RoleDeveloper: {
		SeePayments, CreatePayments, SeeMoney, ExportPayments, DecidePayments, WriteNotes, ShareReceipts,
		SeeWebhooks, ResendWebhooks, SendWebhooks, SeeDevelopers, SeeCredentials, ChangeCredentials,
		SeePeople, SeeAudit,
	},
	RoleFinance: {
		SeePayments, SeeMoney, ExportPayments, DecidePayments, SettleOutcomes, KeepBooks, WriteNotes,
		ShareReceipts, SeeWebhooks,
	},
	// Answering customers needs one payment at a time: no sums, and no files of all that
	// customers bought.
	RoleSupport: {SeePayments, WriteNotes, ShareReceipts, SeeWebhooks, ResendWebhooks},
	RoleViewer:  {SeePayments, SeeMoney, ExportPayments, SeeWebhooks},
}

// Allows reports whether the role has the permission. An unknown role has none: a later
// release may have stored it while servers of this release still run. Pages use it to decide
// what to offer; the methods check it again.
func (r Role) Allows(p Permission) bool { return slices.Contains(allowed[r], p) }

// Valid reports whether r is one of Roles.
func (r Role) Valid() bool { return allowed[r] != nil }
