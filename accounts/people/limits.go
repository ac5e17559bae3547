package people

import (
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
