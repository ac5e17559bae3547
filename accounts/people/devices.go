package people

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"

	"daftar/accounts"
)

// device is a browser in which a user has signed in under an epoch, as its cookie
// says it; empty: none. With the epoch, a new password forgets the devices: anyone who
// knew the old one gets no guesses at the new one by the cookies they collected.
type device string

// deviceOwner is what devices are sealed for: no other secret has this owner.
var deviceOwner = []byte("device")

// maxDevice is longer than any value of Device.
const maxDevice = 256

// Device is what the browser of a user who has signed in keeps as a cookie. Failures
// in that browser are counted apart from those of strangers; it opens nothing. It is
// empty without DAFTAR_SECRET_KEY.
func (p *People) Device(user accounts.UserID, epoch int64) string {
	sealed, err := p.key.Seal(deviceOf(user, epoch)+rand.Text(), deviceOwner)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(sealed)
}

func deviceOf(user accounts.UserID, epoch int64) string { return fmt.Sprintf("%s %d ", user, epoch) }

// device is the one of the request, where its cookie is ours. It is not the cookie's
// text, which can be spelled in more than one way.
func (p *People) device(by accounts.Actor) device {
	if len(by.Device) > maxDevice {
		return ""
	}
	sealed, err := base64.RawURLEncoding.DecodeString(by.Device)
	if err != nil {
		return ""
	}
	opened, err := p.key.Open(sealed, deviceOwner)
	if err != nil {
		return ""
	}
	return device(opened)
}

// of says that the user of the login has signed in there.
func (d device) of(l login) bool { return strings.HasPrefix(string(d), deviceOf(l.id, l.epoch)) }

// user is whose it is.
func (d device) user() string {
	user, _, _ := strings.Cut(string(d), " ")
	return user
}
