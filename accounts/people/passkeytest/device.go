package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"testing"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
)

// Device keeps passkeys. Its fields may be changed between answers.
type Device struct {
	// Origin is the origin of the page, as the browser reports it.
	Origin string
	// Unverified says that the device does not ask for a fingerprint, a face or a PIN.
	Unverified bool
	// Count is how many signatures it has made; 0: it does not count them.
	Count uint32

	t    *testing.T
	keys []key
}

type key struct {
	id, handle []byte
	private    *ecdsa.PrivateKey
}

// New is a device without passkeys, in a browser at the origin.
func New(t *testing.T, origin string) *Device { return &Device{t: t, Origin: origin} }

// options are the parts of a challenge that it reads.
type options struct {
	Challenge protocol.URLEncodedBase64 `json:"challenge"`
	RPID      string                    `json:"rpId"`
	RP        struct {
		ID string `json:"id"`
	} `json:"rp"`
	User struct {
		ID protocol.URLEncodedBase64 `json:"id"`
	} `json:"user"`
	Exclude []descriptor `json:"excludeCredentials"`
	Allow   []descriptor `json:"allowCredentials"`
}

type descriptor struct {
	ID protocol.URLEncodedBase64 `json:"id"`
}

func (d *Device) read(given any) options {
	d.t.Helper()
	var o options
	if err := json.Unmarshal(d.marshal(given), &o); err != nil {
		d.t.Fatalf("read the challenge: %v", err)
	}
	return o
}

func (d *Device) marshal(v any) []byte {
	d.t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		d.t.Fatal(err)
	}
	return text
}

// Flags of the authenticator data.
const (
	userPresent  = 0x01
	userVerified = 0x04
	hasKey       = 0x40
)

// Create creates a passkey, as navigator.credentials.create does with the options, and returns the
// credential as JSON. It fails the test where the device has one that the options exclude.
func (d *Device) Create(given any) string {
	d.t.Helper()
	o := d.read(given)
	for _, k := range d.keys {
		if slices.ContainsFunc(o.Exclude, func(e descriptor) bool { return string(e.ID) == string(k.id) }) {
			d.t.Fatal("the device has a passkey already")
		}
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		d.t.Fatal(err)
	}
	k := key{id: make([]byte, 20), handle: o.User.ID, private: private}
	rand.Read(k.id)
	d.keys = append(d.keys, k)
	point, err := private.PublicKey.Bytes() // 4, X, Y
	if err != nil {
		d.t.Fatal(err)
	}
	public := d.cbor(webauthncose.EC2PublicKeyData{
		PublicKeyData: webauthncose.PublicKeyData{
			KeyType:   int64(webauthncose.EllipticKey),
			Algorithm: int64(webauthncose.AlgES256),
		},
		Curve: int64(webauthncose.P256), XCoord: point[1:33], YCoord: point[33:],
	})
	statement := append(d.statement(o.RP.ID, hasKey), make([]byte, 16)...) // of no known maker
	statement = binary.BigEndian.AppendUint16(statement, uint16(len(k.id)))
	statement = slices.Concat(statement, k.id, public)
	attestation := map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": statement}
	return d.credential(k, map[string]any{
		"clientDataJSON":    text(d.clientData("webauthn.create", o)),
		"attestationObject": text(d.cbor(attestation)),
		"transports":        []string{"internal"},
	})
}

// Get signs the challenge with the newest passkey that is allowed, as navigator.credentials.get
// does, and returns the credential as JSON.
func (d *Device) Get(given any) string {
	d.t.Helper()
	o := d.read(given)
	for _, k := range slices.Backward(d.keys) {
		if len(o.Allow) > 0 && !slices.ContainsFunc(o.Allow, func(a descriptor) bool {
			return string(a.ID) == string(k.id)
		}) {
			continue
		}
		return d.sign(k, o)
	}
	d.t.Fatal("the device has no passkey that is allowed")
	return ""
}

func (d *Device) sign(k key, o options) string {
	d.t.Helper()
	if d.Count > 0 {
		d.Count++
	}
	statement, client := d.statement(o.RPID, 0), d.clientData("webauthn.get", o)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(slices.Concat(statement, hash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, k.private, digest[:])
	if err != nil {
		d.t.Fatal(err)
	}
	return d.credential(k, map[string]any{
		"clientDataJSON":    text(client),
		"authenticatorData": text(statement),
		"signature":         text(signature),
		"userHandle":        text(k.handle),
	})
}

// statement is the authenticator data, without a key.
func (d *Device) statement(party string, flags byte) []byte {
	if flags |= userPresent | userVerified; d.Unverified {
		flags &^= userVerified
	}
	sum := sha256.Sum256([]byte(party))
	return binary.BigEndian.AppendUint32(append(sum[:], flags), d.Count)
}

func (d *Device) clientData(kind string, o options) []byte {
	d.t.Helper()
	return d.marshal(map[string]any{
		"type": kind, "challenge": text(o.Challenge), "origin": d.Origin, "crossOrigin": false,
	})
}

func (d *Device) credential(k key, response map[string]any) string {
	d.t.Helper()
	return string(d.marshal(map[string]any{
		"id": text(k.id), "rawId": text(k.id), "type": "public-key", "response": response,
	}))
}

func (d *Device) cbor(v any) []byte {
	d.t.Helper()
	b, err := webauthncbor.Marshal(v)
	if err != nil {
		d.t.Fatal(err)
	}
	return b
}

func text(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
