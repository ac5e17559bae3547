package logo_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"slices"
	"testing"

	"daftar/internal/logo"
)

// segment is a marker of a JPEG with its data.
func segment(marker byte, data ...byte) []byte {
	return append([]byte{0xff, marker, byte((len(data) + 2) >> 8), byte(len(data) + 2)}, data...)
}

// progressive is a JPEG with scans that cost the decoder much and the file a few bytes: each covers
// all coefficients of a component, and changes none. Before each scan there are so many tables of
// codes.
func progressive(side, components, scans, tables int) []byte {
	file := append([]byte{0xff, 0xd8}, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	if components == 4 {
		file = append(file, segment(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00")...)...)
	}
	frame := []byte{8, byte(side >> 8), byte(side), byte(side >> 8), byte(side), byte(components)}
	scan := []byte{byte(components)}
	for c := range byte(components) {
		frame, scan = append(frame, c+1, 0x11, 0), append(scan, c+1, 0)
	}
	file = append(file, segment(0xc2, frame...)...)
	// A code of one bit in each table: the difference 0 of DC, a run of 16,384 blocks and more of AC.
	code := func(class, symbol byte) []byte {
		return segment(0xc4, slices.Concat([]byte{class, 1}, make([]byte, 15), []byte{symbol})...)
	}
	file = append(append(file, code(0x00, 0)...), code(0x10, 0xe0)...)
	blocks := (side + 7) / 8 * ((side + 7) / 8)
	file = append(file, segment(0xda, append(scan, 0, 0, 0)...)...)
	file = append(file, make([]byte, blocks*components/8+1)...)
	for n := 1; n < scans; n++ {
		file = append(file, bytes.Repeat(code(0x10, 0xe0), tables)...)
		file = append(file, segment(0xda, 1, byte(n%components+1), 0, 1, 63, 0x10)...)
		file = append(file, make([]byte, 2+2*blocks/(1<<14))...)
	}
	return append(file, 0xff, 0xd9)
}

// flatPNG is a PNG with a high compression ratio, in chunks of so many bytes.
func flatPNG(side int, depth, kind, interlaced, filter byte, idat int) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(side)), uint32(side))
	header = append(header, depth, kind, 0, 0, interlaced)
	bits := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind] * int(depth)
	passes := [][4]int{{1, 1, 0, 0}}
	if interlaced == 1 {
		passes = [][4]int{
			{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1},
		}
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	for _, p := range passes {
		width := (side - p[2] + p[0] - 1) / p[0]
		row := append([]byte{filter}, bytes.Repeat([]byte{0x55}, (width*bits+7)/8)...)
		for y := p[3]; y < side; y += p[1] {
			_, _ = w.Write(row) // a buffer takes all
		}
	}
	_ = w.Close()
	file := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", header)...)
	if kind == 3 {
		file = append(file, chunk("PLTE", bytes.Repeat([]byte{1, 2, 3}, 256))...)
		file = append(file, chunk("tRNS", bytes.Repeat([]byte{100}, 256))...)
	}
	for data := range slices.Chunk(packed.Bytes(), idat) {
		file = append(file, chunk("IDAT", data)...)
	}
	return append(file, chunk("IEND", nil)...)
}

// bitWriter writes the bits of a lossless WebP.
type bitWriter struct {
	b    []byte
	bits int
}

func (w *bitWriter) write(v, bits int) {
	for n := range bits {
		if w.bits%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[w.bits/8] |= byte(v>>n&1) << (w.bits % 8)
		w.bits++
	}
}

// pixel writes the codes of pixels that are all the same, which take no bits.
func (w *bitWriter) pixel(green, red, blue, alpha int) {
	for _, symbol := range []int{green, red, blue, alpha, 0} {
		w.write(0b101, 3) // a code of one symbol, of eight bits
		w.write(symbol, 8)
	}
}

// flatWebP is a lossless WebP of 50 bytes and the given chunks. Its pixels use every transform.
func flatWebP(side int, chunks ...string) []byte {
	w := &bitWriter{}
	w.write(0x2f, 8)
	w.write(side-1, 14)
	w.write(side-1, 14)
	w.write(1, 4)
	for kind := range 2 { // predictor and colour, with tiles of four pixels
		w.write(1|kind<<1, 6)
		w.write(0, 1)
		w.pixel(11, 255, 255, 255)
	}
	w.write(0b101, 3) // subtract green
	w.write(0, 3)     // no more transforms, no cache, one group of codes
	w.pixel(7, 200, 100, 50)
	return riff(append([]string{"VP8L", string(w.b)}, chunks...)...)
}

// riff is a WebP of chunks: names and data in turns.
func riff(chunks ...string) []byte {
	body := []byte("WEBP")
	for n := 0; n < len(chunks); n += 2 {
		data := chunks[n+1]
		body = binary.LittleEndian.AppendUint32(append(body, chunks[n]...), uint32(len(data)))
		body = append(append(body, data...), make([]byte, len(data)%2)...)
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func noise(side int) image.Image {
	m, random := image.NewNRGBA(image.Rect(0, 0, side, side)), rand.New(rand.NewPCG(1, 2))
	for n := range m.Pix {
		m.Pix[n] = byte(random.Uint32())
	}
	return m
}

// worst are the slowest known files of at most 2 MB, of each format.
func worst(tb testing.TB) map[string][]byte {
	tb.Helper()
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, noise(1800), &jpeg.Options{Quality: 75}); err != nil {
		tb.Fatal(err)
	}
	return map[string][]byte{
		"JPEG, noise":                      photo.Bytes(),
		"JPEG, 32 scans":                   progressive(2500, 3, 32, 0),
		"JPEG, 32 scans of four colours":   progressive(2500, 4, 32, 0),
		"JPEG, 100 scans":                  progressive(1400, 3, 100, 0),
		"JPEG, 90,000 tables":              progressive(2500, 3, 31, 3000),
		"PNG, interlaced, 16 bits":         flatPNG(2500, 16, 6, 1, 4, 1<<20),
		"PNG, interlaced, a byte a chunk":  flatPNG(2500, 16, 6, 1, 4, 1),
		"PNG, grey and alpha":              flatPNG(2500, 8, 4, 0, 4, 1<<20),
		"PNG, interlaced, with a palette":  flatPNG(2500, 8, 3, 1, 0, 1<<20),
		"PNG, a bit a pixel":               flatPNG(2500, 1, 0, 0, 0, 1<<20),
		"PNG, noise":                       asPNG(tb, noise(700)),
		"WebP, lossless, every transform":  flatWebP(2500),
		"WebP, with a chunk of no meaning": flatWebP(2500, "JUNK", string(make([]byte, 2_000_000))),
	}
}

func BenchmarkWorst(b *testing.B) {
	for name, file := range worst(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportMetric(float64(len(file)), "bytes")
			for b.Loop() {
				if _, err := logo.Read(file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A scan takes some bytes of the file and covers the whole picture: 182 kB took 22 s.
func TestScansAreBounded(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		file []byte
		want error
	}{
		"as programs write them":   {progressive(600, 3, 11, 0), nil},
		"a hundred":                {progressive(300, 3, 100, 0), nil},
		"more":                     {progressive(300, 3, 101, 0), logo.ErrScans},
		"ten thousand":             {progressive(2500, 3, 10_000, 0), logo.ErrScans},
		"ten thousand of one":      {progressive(2500, 1, 10_000, 0), logo.ErrScans},
		"a few of a large picture": {progressive(2500, 3, 33, 0), logo.ErrScans},
		"after fill bytes": {
			bytes.ReplaceAll(progressive(300, 3, 101, 0), []byte("\xff\xda"), []byte("\xff\xff\xff\xda")),
			logo.ErrScans,
		},
		"after what is no segment": {
			bytes.ReplaceAll(progressive(300, 3, 101, 0), []byte("\xff\xda"), []byte("junk\xff\xda")),
			logo.ErrScans,
		},
	} {
		if _, err := logo.Read(row.file); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", name, err, row.want)
		}
	}
}
