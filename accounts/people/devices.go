package people

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"

	"daftar/accounts"
)

// device is a browser in which a user has signed in under an epoch, as its cookie says;
// empty: none. A new password changes the epoch, and so invalidates the cookies: an attacker
// that knew the old password cannot use collected cookies to guess at the new one.
type device string

// deviceOwner is what devices are sealed for: no other secret has this owner.
var deviceOwner = []byte("device")

// maxDevice is longer than any value of Device.
const maxDevice = 256

// Device is a cookie for the browser in which a user has signed in. Failures in that browser
// are counted separately from those of strangers; the cookie gives no access. It is empty
// without DAFTAR_SECRET_KEY.
func (p *People) Device(user accounts.UserID, epoch int64) string {
	sealed, err := p.key.Seal(deviceOf(user, epoch)+rand.Text(), deviceOwner)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(sealed)
}

func deviceOf(user accounts.UserID, epoch int64) string { return fmt.Sprintf("%s %d ", user, epoch) }

// device is the device of a request, by its cookie; empty where we did not seal that. It is
// the opened text: the cookie's own can be spelled in more than one way.
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

// of reports whether the user of the login has signed in there.
func (d device) of(l login) bool { return strings.HasPrefix(string(d), deviceOf(l.id, l.epoch)) }

// user is the id of its user.
func (d device) user() string {
	user, _, _ := strings.Cut(string(d), " ")
	return user
}
