package transparency

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"golang.org/x/mod/sumdb/note"
)

// cosignatureType is the type of a timestamped Ed25519 cosignature (c2sp.org/tlog-cosignature).
const cosignatureType = 0x04

// timestampSize is how many bytes of a cosignature come before its Ed25519 signature.
const timestampSize = 8

// Cosigner signs checkpoints as a witness (c2sp.org/tlog-cosignature): a
// signature states that at its time this was the largest tree of the log that the witness had
// seen.
type Cosigner struct {
	Verifier note.Verifier

	public string
	key    ed25519.PrivateKey
}

// NewCosigner makes the cosigner of a name and a seed of ed25519.SeedSize bytes. Errors: a
// name with a space or a plus sign, or another seed.
func NewCosigner(name string, seed []byte) (Cosigner, error) {
	if len(seed) != ed25519.SeedSize {
		return Cosigner{}, fmt.Errorf("the seed of a cosigner has %d bytes, want %d", len(seed), ed25519.SeedSize)
	}
	c := Cosigner{key: ed25519.NewKeyFromSeed(seed)}
	data := append([]byte{cosignatureType}, c.key[ed25519.SeedSize:]...)
	c.public = fmt.Sprintf("%s+%08x+%s", name, keyHash(name, data), base64.StdEncoding.EncodeToString(data))
	var err error
	c.Verifier, err = ParseCosignerKey(c.public)
	return c, err
}

// Public is the public key with which anyone checks the cosignatures: NAME+HASH+DATA.
func (c Cosigner) Public() string { return c.public }

// Cosign returns the signature line for a checkpoint, whose text is the part above its
// signatures.
func (c Cosigner) Cosign(text string, at time.Time) string {
	data := binary.BigEndian.AppendUint32(nil, c.Verifier.KeyHash())
	data = binary.BigEndian.AppendUint64(data, uint64(at.Unix()))
	data = append(data, ed25519.Sign(c.key, cosigned(text, uint64(at.Unix())))...)
	signature := base64.StdEncoding.EncodeToString(data)
	return SignatureLine(note.Signature{Name: c.Verifier.Name(), Base64: signature})
}

// SignatureLine is a signature as a line below a note.
func SignatureLine(s note.Signature) string { return "\u2014 " + s.Name + " " + s.Base64 + "\n" }

// cosigned is the message that a cosigner signs.
func cosigned(text string, at uint64) []byte {
	return fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", at, text)
}

func keyHash(name string, data []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), data...))
	return binary.BigEndian.Uint32(sum[:])
}

// cosignerKey verifies cosignatures.
type cosignerKey struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

// ParseCosignerKey reads the public key of a witness.
func ParseCosignerKey(text string) (note.Verifier, error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) == 3 && !strings.ContainsFunc(parts[0], unicode.IsSpace) && parts[0] != "" {
		data, err := base64.StdEncoding.Strict().DecodeString(parts[2])
		if err == nil && len(data) == 1+ed25519.PublicKeySize && data[0] == cosignatureType {
			if hash := keyHash(parts[0], data); fmt.Sprintf("%08x", hash) == parts[1] {
				return cosignerKey{parts[0], hash, data[1:]}, nil
			}
		}
	}
	return nil, errors.New("a witness's key is text such as NAME+HASH+DATA, of an Ed25519 cosigner")
}

func (k cosignerKey) Name() string    { return k.name }
func (k cosignerKey) KeyHash() uint32 { return k.hash }

func (k cosignerKey) Verify(text, signature []byte) bool {
	if len(signature) != timestampSize+ed25519.SignatureSize {
		return false
	}
	at := binary.BigEndian.Uint64(signature)
	return at > 0 && at <= math.MaxInt64 &&
		ed25519.Verify(k.key, cosigned(string(text), at), signature[timestampSize:])
}
