package people

import (
	"context"

	"daftar/accounts"
	"daftar/internal/web"
)

// How many failures in a row cost no delay.
const (
	freeForAccount = 5
	freeForNetwork = 20 // many people can share one; wider networks get web.Allowances times as many
)

// The secrets for which failures are counted, each separately: a delay of one does not delay
// the others.
const (
	forPassword  = "account"
	forCode      = "code"
	forEnrolment = "enrolment"
	forPasskey   = "passkey"
	forReset     = "reset" // no secret: a mail that is sent
	forSignUp    = "sign-up"
)

// attemptLimits are what an actor's failures at a secret of a user count against: the secret,
// then the networks. A browser in which the user has signed in before is counted separately,
// and so is the network of the last sign-in: an attacker cannot lock a user out by failing on
// purpose.
func (p *People) attemptLimits(l login, secret string, by accounts.Actor) []accounts.Limit {
	name, networks := secret+"\x00"+l.key, web.Networks(by.Address)
	if device := p.device(by); device.of(l) {
		return []accounts.Limit{{Name: name + "\x00" + string(device), Free: freeForAccount}}
	}
	if l.from != "" && networks[0] == l.from {
		name += "\x00" + l.from
	}
	all := []accounts.Limit{{Name: name, Free: freeForAccount}}
	for n, network := range networks {
		all = append(all, accounts.Limit{Name: "network\x00" + network,
			Free: freeForNetwork * web.Allowances[n]})
	}
	return all
}

// askForMail begins a request, by a visitor who is not signed in, for a mail to an address: it finds
// whose the address is, if anybody's, and counts the request. who is what may be recorded of the
// visitor. Errors: ErrInvalid, Throttled.
func (p *People) askForMail(ctx context.Context, visitor accounts.Actor, typed, secret string,
	what accounts.Action,
) (who accounts.Actor, known login, email string, err error) {
	who = accounts.Actor{
		Name: "unknown", Address: visitor.Address, Device: visitor.Device, RequestID: visitor.RequestID,
	}
	if email, err = NormalizeEmail(typed); err != nil {
		return who, known, "", err
	}
	if known, err = p.login(ctx, email); err != nil {
		return who, known, "", err
	}
	if _, err = p.accounts.Reserve(ctx, p.attemptLimits(known, secret, who)); err != nil {
		return who, known, "", p.recordThrottled(ctx, who, known, what, err)
	}
	return who, known, email, nil
}
