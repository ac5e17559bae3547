package rebuild

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/google/uuid"
)

// Every stream is in one chunk, however many chunks there are.
func TestChunksFollowEachOtherWithoutAGap(t *testing.T) {
	t.Parallel()
	for _, chunks := range []int{1, 2, 3, 7, 333, 65_537} {
		next := uuid.Nil
		for n := range chunks {
			first, last := chunkEnds(n, chunks)
			if first != next || bytes.Compare(first[:], last[:]) >= 0 {
				t.Fatalf("chunk %d of %d is from %s to %s, want it from %s on", n, chunks, first, last, next)
			}
			after := new(big.Int).Add(new(big.Int).SetBytes(last[:]), big.NewInt(1))
			if after.BitLen() > 128 {
				if n != chunks-1 {
					t.Errorf("chunk %d of %d is the last", n, chunks)
				}
				continue
			}
			after.FillBytes(next[:])
		}
		if _, last := chunkEnds(chunks-1, chunks); last != uuid.Max {
			t.Errorf("%d chunks end at %s", chunks, last)
		}
	}
}
