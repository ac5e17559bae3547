package transparency_test

import (
	"errors"
	"strings"
	"testing"

	"daftar/transparency"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	check := func(keys []string, want error) transparency.Health {
		t.Helper()
		h, err := transparency.CheckHealth(t.Context(), w.pool, keys, "")
		if !errors.Is(err, want) {
			t.Errorf("health with keys %v: %v, want %v", keys, err, want)
		}
		return h
	}
	if h := check(nil, nil); h.Head != 0 || h.Signed != 0 || h.Waiting != 0 {
		t.Errorf("of an empty log: %+v", h)
	}
	w.fill(30)
	if h := check(nil, nil); h.Head != 30 || h.Size != 0 || h.Waiting <= 0 {
		t.Errorf("before the tree has anything: %+v", h)
	}
	w.grow(100)
	w.sign()
	h := check(nil, nil)
	if h.Size != 30 || h.Signed != 30 || h.Waiting != 0 || len(h.Keys) != 1 || h.Keys[0] != w.key.Public() {
		t.Errorf("when all is signed: %+v", h)
	}
	check([]string{w.key.Public()}, nil)
	other, _, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	check([]string{other.Public()}, transparency.ErrSignature)
	w.fill(10)
	if h := check(nil, nil); h.Head != 40 || h.Signed != 30 || h.Waiting <= 0 {
		t.Errorf("with ten events more: %+v", h)
	}
	w.tamper(`
		UPDATE transparency_tiles
		SET hashes = decode(repeat('00', 32), 'hex') || substring(hashes FROM 33)
		WHERE level = 0
		  AND n = 0`)
	check(nil, transparency.ErrForked)
	w.tamper(`UPDATE transparency_tree SET size = 20`)
	_, err = transparency.CheckHealth(t.Context(), w.pool, nil, "")
	if !errors.Is(err, transparency.ErrBehind) || !strings.Contains(err.Error(), "30") {
		t.Errorf("of a tree that was cut: %v", err)
	}
}
