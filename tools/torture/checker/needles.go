package checker

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// needles are texts to be found in a stream, all in one pass (Rabin-Karp): a rolling hash
// over the length of the shortest finds candidates.
type needles struct {
	window  int
	drop    uint32 // hashBase to the power of window, to remove the byte that leaves it
	longest int
	filter  [1 << 16]bool // by the upper half of the hash
	by      map[uint32][]needle
}

type needle struct {
	name string // a description; never the secret itself
	text string
}

const hashBase = 16_777_619

// leastSecret is the least length of a secret: shorter texts occur by chance.
const leastSecret = 8

var errShortSecret = errors.New("a secret is too short to be distinguished from other text")

// forms are the texts in which a secret may appear: as it is, without its prefix, its
// decoded bytes, and each of these as hexadecimal, as PostgreSQL prints bytes, and base64.
func forms(secret string) []string {
	all := []string{secret}
	bare := secret
	for _, prefix := range []string{"pk_", "at_", "whsec_"} {
		if rest, cut := strings.CutPrefix(secret, prefix); cut {
			bare = rest
			all = append(all, rest)
		}
	}
	if raw, err := base64.StdEncoding.DecodeString(bare); err == nil && len(raw) >= leastSecret {
		all = append(all, string(raw))
	}
	if raw, err := hex.DecodeString(bare); err == nil && len(raw) >= leastSecret {
		all = append(all, string(raw))
	}
	for _, text := range all {
		all = append(all, hex.EncodeToString([]byte(text)), base64.StdEncoding.EncodeToString([]byte(text)))
	}
	return all
}

// newNeedles takes secrets by their descriptions.
func newNeedles(secrets map[string]string) (*needles, error) {
	var all []needle
	n := &needles{by: map[uint32][]needle{}}
	seen := map[string]bool{}
	for name, secret := range secrets {
		if len(secret) < leastSecret {
			return nil, fmt.Errorf("%s: %w", name, errShortSecret)
		}
		for _, form := range forms(secret) {
			if seen[form] || len(form) < leastSecret {
				continue
			}
			seen[form] = true
			all = append(all, needle{name, form})
			n.longest = max(n.longest, len(form))
			if n.window == 0 || len(form) < n.window {
				n.window = len(form)
			}
		}
	}
	n.drop = 1
	for range n.window {
		n.drop *= hashBase
	}
	for _, x := range all {
		h := hashOf(x.text[:n.window])
		n.filter[h>>16] = true
		n.by[h] = append(n.by[h], x)
	}
	return n, nil
}

func hashOf(text string) uint32 {
	var h uint32
	for k := range len(text) {
		h = h*hashBase + uint32(text[k]) + 1
	}
	return h
}

// search reads all of r, and returns the descriptions of the secrets in it, each once, and
// the number of bytes read.
func (n *needles) search(r io.Reader) (found []string, size int64, err error) {
	seen := map[string]bool{}
	buffer := make([]byte, 1<<20)
	kept := 0 // bytes of the last chunk, because a secret may lie across the boundary
	for {
		read, err := io.ReadFull(r, buffer[kept:])
		chunk := buffer[:kept+read]
		size += int64(read)
		n.scan(chunk, func(name string) {
			if !seen[name] {
				seen[name] = true
				found = append(found, name)
			}
		})
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return found, size, nil
		}
		if err != nil {
			return found, size, err
		}
		kept = copy(buffer, chunk[max(len(chunk)-n.longest+1, 0):])
	}
}

func (n *needles) scan(chunk []byte, report func(name string)) {
	if n.window == 0 || len(chunk) < n.window {
		return
	}
	h := hashOf(string(chunk[:n.window]))
	for at := 0; ; at++ {
		if n.filter[h>>16] {
			for _, x := range n.by[h] {
				if len(chunk)-at >= len(x.text) && string(chunk[at:at+len(x.text)]) == x.text {
					report(x.name)
				}
			}
		}
		if at+n.window >= len(chunk) {
			return
		}
		h = h*hashBase + uint32(chunk[at+n.window]) + 1 - n.drop*(uint32(chunk[at])+1)
	}
}
