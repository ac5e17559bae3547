package transparency

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/plaintext"
	"daftar/internal/postgres"
)

// Witness is a witness that cosigns the log's checkpoints over c2sp.org/tlog-witness.
type Witness struct {
	key note.Verifier
	url string
}

// ParseWitnesses reads witnesses, separated by commas or lines: each is a public key, a
// space and the address below which the witness accepts checkpoints.
func ParseWitnesses(text string) ([]Witness, error) {
	var all []Witness
	for entry := range strings.SplitSeq(plaintext.FromFile([]byte(text)), ",") {
		words := strings.Fields(entry)
		if len(words) == 0 || len(words)%2 != 0 {
			return nil, fmt.Errorf("%q is no KEY and ADDRESS of a witness", entry)
		}
		for pair := range slices.Chunk(words, 2) {
			w, err := parseWitness(pair[0], pair[1])
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(all, func(other Witness) bool { return other.key.Name() == w.key.Name() }) {
				return nil, fmt.Errorf("there are two witnesses of the name %s", w.key.Name())
			}
			all = append(all, w)
		}
	}
	return all, nil
}

func parseWitness(public, address string) (Witness, error) {
	key, err := ParseCosignerKey(public)
	if err != nil {
		return Witness{}, err
	}
	if !TakesCheckpoints(address) {
		return Witness{}, fmt.Errorf("%q is no https address (plain http goes to this machine only)", address)
	}
	return Witness{key: key, url: strings.TrimRight(address, "/")}, nil
}

// TakesCheckpoints reports whether checkpoints may be sent to an address: to https, or to
// this machine.
func TakesCheckpoints(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Fragment != "" {
		return false
	}
	if u.Scheme == "https" {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || (err == nil && ip.IsLoopback()))
}

// newSubmission asks a witness to cosign checkpoints.
func newSubmission(w Witness) *delivery {
	d := newDelivery("witness "+w.key.Name(), w.url+"/add-checkpoint")
	d.destination = sha256.Sum256([]byte(d.kind + " " + d.address))
	d.unasked = true
	cosigned := int64(0) // size that the witness knows, as far as this server knows
	d.send = func(ctx context.Context, n *Notary, c Checkpoint) error {
		// The second try has the size that the witness named. The third is needed if another
		// server was faster.
		for range 3 {
			known, done, err := d.submit(ctx, n, w, c, min(cosigned, c.Size))
			if cosigned = known; err != nil || done {
				return err
			}
		}
		return errors.New("the witness names another size each time")
	}
	return d
}

// submit sends a checkpoint with the proof that it extends the one of the given size.
// It returns the size of the newest that the witness has cosigned, and whether that
// covers this one. ErrForked: the witness has cosigned another history.
func (d *delivery) submit(
	ctx context.Context, n *Notary, w Witness, c Checkpoint, from int64,
) (known int64, done bool, err error) {
	var request strings.Builder
	fmt.Fprintf(&request, "old %d\n", from)
	if from > 0 && from < c.Size {
		proof, err := tlog.ProveTree(c.Size, from, hashReader(ctx, n.pool))
		if err != nil {
			return from, false, fmt.Errorf("prove consistency from %d: %w", from, err)
		}
		for _, h := range proof {
			request.WriteString(base64.StdEncoding.EncodeToString(h[:]) + "\n")
		}
	}
	status, answer, err := d.post(ctx, request.String()+"\n"+c.Note)
	if err != nil {
		return from, false, err
	}
	switch status {
	case http.StatusOK:
		return c.Size, true, n.storeCosignature(ctx, w, c, answer)
	case http.StatusConflict:
		known, err := strconv.ParseInt(strings.TrimSuffix(answer, "\n"), 10, 64)
		if err != nil || known < 0 {
			return from, false, errors.New("the witness names no size that it knows")
		}
		if known <= c.Size {
			return known, false, nil
		}
		// Another server may have signed it meanwhile.
		newest, err := n.key.newest(ctx, n.pool)
		if err == nil && known > newest.Size {
			err = fmt.Errorf("%w: the witness has cosigned %d events, the newest covers %d",
				ErrForked, known, newest.Size)
		}
		return known, true, err
	case http.StatusUnprocessableEntity:
		return from, false, fmt.Errorf("%w: the witness has cosigned another history of %d events", ErrForked, from)
	}
	return from, false, fmt.Errorf("submit checkpoint: answered %d %s", status, http.StatusText(status))
}

const (
	storeCosignatureSQL = `
INSERT INTO transparency_cosignatures (size, witness, line)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING`
	cosignaturesSQL = `
SELECT line
FROM transparency_cosignatures
WHERE size = $1
  AND witness = ANY($2)
ORDER BY witness`
)

// storeCosignature stores the line of a witness's answer that its key has signed.
func (n *Notary) storeCosignature(ctx context.Context, w Witness, c Checkpoint, answer string) error {
	signed, err := note.Open([]byte(c.Note+answer), note.VerifierList(w.key))
	if err != nil {
		return fmt.Errorf("the witness's answer is not its cosignature: %w", err)
	}
	line := SignatureLine(signed.Sigs[0])
	if _, err := n.pool.Exec(ctx, storeCosignatureSQL, c.Size, w.key.Name(), line); err != nil {
		return fmt.Errorf("store cosignature: %w", err)
	}
	return nil
}

// withCosignatures is the note of a checkpoint with the witnesses' lines that are valid.
func withCosignatures(
	ctx context.Context, q postgres.Querier, c Checkpoint, witnesses []Witness,
) (string, error) {
	if len(witnesses) == 0 {
		return c.Note, nil
	}
	keys, names := make([]note.Verifier, len(witnesses)), make([]string, len(witnesses))
	for n, w := range witnesses {
		keys[n], names[n] = w.key, w.key.Name()
	}
	lines, err := postgres.List(ctx, q, "read cosignatures", pgx.RowTo[string], cosignaturesSQL, c.Size, names)
	if err != nil {
		return "", err
	}
	text := []byte(c.Note)
	for _, line := range lines {
		if signed, err := note.Open([]byte(c.Note+line), note.VerifierList(keys...)); err == nil {
			text = append(text, SignatureLine(signed.Sigs[0])...)
		}
	}
	return string(text), nil
}
