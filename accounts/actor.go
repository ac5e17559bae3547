package accounts

import "slices"

// Actor is the caller, and where the request came from. It is an argument of every
// method that touches an organisation's data; the zero Actor may do nothing.
type Actor struct {
	// User is zero for an operator.
	User UserID
	// Epoch is the user's session epoch: an actor whose sessions were ended may do
	// nothing.
	Epoch int64
	// Name is what the audit trail calls the actor: an email address, or
	// operator:NAME.
	Name string
	// Address is the client's address; empty for an operator.
	Address string
	// Device is what Accounts.Device gave the browser earlier; may be empty, or anything.
	Device string
	// RequestID is the request's number in our log; may be empty.
	RequestID string
	// Form is the number of the form that was sent: what a form creates it creates
	// once, however often it is sent (see ErrCreated). Empty: no form.
	Form string

	operator bool
}

// Operator is the actor at the command line of the server, who may do everything.
func Operator(name string) Actor { return Actor{Name: "operator:" + name, operator: true} }

// Actor is the user in a request.
func (u User) Actor(address, requestID string) Actor {
	return Actor{User: u.ID, Epoch: u.Epoch, Name: u.Email, Address: address, RequestID: requestID}
}

// Role is what a user is in an organisation.
type Role string

// The roles.
const (
	RoleOwner     Role = "owner"
	RoleDeveloper Role = "developer"
	RoleViewer    Role = "viewer"
)

// Roles are all roles, those with the most permissions first.
var Roles = []Role{RoleOwner, RoleDeveloper, RoleViewer}

// Permission is something that a role allows.
type Permission string

// The permissions.
const (
	// SeePayments covers payments, their history, sums, exports and the names of
	// applications.
	SeePayments Permission = "see payments"
	// CreatePayments covers asking a customer for a payment by hand.
	CreatePayments Permission = "create payments"
	// DecidePayments covers decisions about late and duplicate payments.
	DecidePayments Permission = "decide payments"
	// RefundPayments covers giving money back, and saying that it went back.
	RefundPayments Permission = "refund payments"
	// SeeWebhooks covers deliveries, their tries and the health of endpoints.
	SeeWebhooks Permission = "see webhooks"
	// SendWebhooks covers resending, replaying, test deliveries and enabling.
	SendWebhooks Permission = "send webhooks"
	// SeeDevelopers covers the developers' corner.
	SeeDevelopers Permission = "see developers' corner"
	// SeeCredentials covers endings and uses of keys and tokens; values are never
	// shown after their creation.
	SeeCredentials Permission = "see credentials"
	// ChangeCredentials covers applications, keys, secrets, tokens and webhook
	// URLs.
	ChangeCredentials Permission = "change credentials"
	SeePeople         Permission = "see people"
	ManagePeople      Permission = "manage people"
	SeeAudit          Permission = "see audit trail"
)

// Permissions are all permissions.
var Permissions = []Permission{
	SeePayments, CreatePayments, DecidePayments, RefundPayments, SeeWebhooks, SendWebhooks, SeeDevelopers, SeeCredentials, ChangeCredentials, SeePeople,
	ManagePeople, SeeAudit,
}

// allowed is the one place that says what a role may do.
var allowed = map[Role][]Permission{
	RoleOwner: Permissions,
	RoleDeveloper: {
		SeePayments, CreatePayments, DecidePayments, SeeWebhooks, SendWebhooks, SeeDevelopers, SeeCredentials, ChangeCredentials, SeePeople, SeeAudit,
	},
	RoleViewer: {SeePayments, SeeWebhooks},
}

// Allows says whether the role has the permission. An invalid role has none. Pages
// use it to decide what to offer; the methods check it again.
func (r Role) Allows(p Permission) bool { return slices.Contains(allowed[r], p) }

// Valid says whether r is one of Roles.
func (r Role) Valid() bool { return allowed[r] != nil }
