package logo_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/image/draw"

	"daftar/internal/logo"
)

// drawn is a picture of that size, transparent except for a box in the middle.
func drawn(width, height int, ink color.Color) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	box := image.Rect(width/4, height/4, width*3/4, height*3/4)
	draw.Draw(m, box, image.NewUniform(ink), image.Point{}, draw.Src)
	return m
}

func asPNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// opened decodes a picture that was made. It has to be PNG or JPEG.
func opened(t *testing.T, picture []byte) image.Image {
	t.Helper()
	m, kind, err := image.Decode(bytes.NewReader(picture))
	if err != nil || kind != "png" && kind != "jpeg" {
		t.Fatalf("%s: %v", kind, err)
	}
	return m
}

func at(m image.Image, x, y int) string {
	c, _ := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
	return fmt.Sprintf("%x%x%x", c.R>>4, c.G>>4, c.B>>4)
}

var (
	red  = color.NRGBA{200, 30, 30, 255}
	pale = color.NRGBA{250, 250, 240, 255}
)

func TestPictures(t *testing.T) {
	t.Parallel()
	photo := image.NewRGBA(image.Rect(0, 0, 800, 600))
	random := rand.New(rand.NewPCG(1, 2))
	for n := range photo.Pix {
		photo.Pix[n] = byte(random.Uint32()) | 3 // noise, which compresses worst
	}
	for n := 3; n < len(photo.Pix); n += 4 {
		photo.Pix[n] = 255
	}
	opaque := image.NewRGBA(image.Rect(0, 0, 300, 100))
	draw.Draw(opaque, opaque.Rect, image.NewUniform(red), image.Point{}, draw.Src)
	for name, row := range map[string]struct {
		file           []byte
		width          int
		corner, middle string // of the mark; empty: any
	}{
		"a box":                   {asPNG(t, drawn(400, 400, red)), 40, "fff", "c11"},
		"a wide box":              {asPNG(t, drawn(800, 200, red)), 118, "fff", "c11"},
		"a very wide box":         {asPNG(t, drawn(2000, 100, red)), 120, "fff", "c11"},
		"a tall box":              {asPNG(t, drawn(100, 1000, red)), 40, "fff", "c11"},
		"a light box":             {asPNG(t, drawn(400, 400, pale)), 40, "122", "fff"},
		"an opaque picture":       {asPNG(t, opaque), 120, "c11", "c11"},
		"a drawing as JPEG":       {asJPEG(t, opaque), 120, "", ""},
		"a photograph, all noise": {asJPEG(t, photo), 53, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := logo.Read(row.file)
			if err != nil {
				t.Fatal(err)
			}
			m := opened(t, p.Mark)
			size := m.Bounds().Size()
			if size.Y != 80 || size.X != 2*logo.Width(p.Mark) || logo.Width(p.Mark) != row.width {
				t.Errorf("the mark is %v, and %d wide on a page, want %d", size, logo.Width(p.Mark), row.width)
			}
			corner, middle := at(m, 0, 0), at(m, size.X/2, 40)
			if row.corner != "" && (corner != row.corner || middle != row.middle) {
				t.Errorf("the mark is %s at its corner and %s in the middle, want %s and %s",
					corner, middle, row.corner, row.middle)
			}
			if got := opened(t, p.Icon).Bounds().Size(); got != image.Pt(32, 32) {
				t.Errorf("the icon is %v", got)
			}
			if got := opened(t, p.Share).Bounds().Size(); got != image.Pt(600, 315) {
				t.Errorf("the picture to share is %v", got)
			}
			if len(p.Mark) > 10<<10 || len(p.Icon) > 2<<10 || len(p.Share) > 80<<10 {
				t.Errorf("%d, %d and %d bytes", len(p.Mark), len(p.Icon), len(p.Share))
			}
		})
	}
}

// A WebP of 64 × 64 pixels, of one colour, as Chromium makes it.
const webpFile = "" +
	"UklGRjQCAABXRUJQVlA4WAoAAAAgAAAAPwAAPwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABh" +
	"Y3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
	"AAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAAB" +
	"UAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAA" +
	"AAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9Y" +
	"WVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAM" +
	"ZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggRgAAANADAJ0BKkAAQAA+bTaYSSQjIqEiCACA" +
	"DYlpAHYAACDQqvELjALiAAD+8DhD/+LWtwtLD//7Sz/6ln/1LP8YlRSrHAAAAAA="

// chunk is a part of a PNG.
func chunk(kind string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// These files are refused before their pixels take memory.
func TestRefused(t *testing.T) {
	t.Parallel()
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">` +
		`<script>alert(1)</script></svg>`
	good := asPNG(t, drawn(100, 100, red))
	header := func(width, height uint32) []byte {
		b := binary.BigEndian.AppendUint32(nil, width)
		b = append(binary.BigEndian.AppendUint32(b, height), 8, 6, 0, 0, 0)
		return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", b)...)
	}
	for name, row := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":             {nil, logo.ErrFormat},
		"a drawing in XML":    {[]byte(svg), logo.ErrFormat},
		"a GIF":               {[]byte("GIF89a\x64\x00\x64\x00\x00\x00\x00;"), logo.ErrFormat},
		"a page":              {[]byte("<!doctype html><title>x</title>"), logo.ErrFormat},
		"only the first half": {good[:len(good)/2], logo.ErrFormat},
		"JPEG that ends":      {asJPEG(t, drawn(100, 100, red))[:200], logo.ErrFormat},
		"a bomb":              {header(50_000, 50_000), logo.ErrLarge},
		"one side too long":   {header(2501, 100), logo.ErrLarge},
		"a dot":               {asPNG(t, drawn(47, 200, red)), logo.ErrSmall},
		"nothing to see":      {asPNG(t, image.NewNRGBA(image.Rect(0, 0, 100, 100))), logo.ErrBlank},
		"WebP without pixels": {[]byte("RIFF\x0c\x00\x00\x00WEBPVP8 \x00\x00\x00\x00"), logo.ErrFormat},
	} {
		if _, err := logo.Read(row.file); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", name, err, row.want)
		}
	}
}

// Metadata of a file is not in any picture.
func TestMetadataIsGone(t *testing.T) {
	t.Parallel()
	const said = "taken at 32.8872 N 13.1913 E"
	good := asPNG(t, drawn(100, 100, red))
	note := chunk("tEXt", []byte("Comment\x00"+said))
	file := append(append(append([]byte{}, good[:33]...), note...), good[33:]...)
	file = append(file, "<script>alert(1)</script>"...) // after the end of the picture
	p, err := logo.Read(file)
	if err != nil || !bytes.Contains(file, []byte(said)) {
		t.Fatal(err)
	}
	for _, picture := range [][]byte{p.Mark, p.Icon, p.Share} {
		for _, text := range []string{said, "script", "tEXt"} {
			if strings.Contains(string(picture), text) {
				t.Errorf("a picture contains %q of the file", text)
			}
		}
	}
}

func TestWebP(t *testing.T) {
	t.Parallel()
	file, err := base64.StdEncoding.DecodeString(webpFile)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := logo.Read(file); err != nil || logo.Width(p.Mark) != 40 {
		t.Errorf("%v, %d", err, logo.Width(p.Mark))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Add([]byte("\xff\xd8\xff"))
	f.Add([]byte("RIFF????WEBPVP8X"))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := logo.Read(file)
		if err == nil && (logo.Width(p.Mark) < 20 || len(p.Icon) == 0) {
			t.Errorf("a mark %d wide, an icon of %d bytes", logo.Width(p.Mark), len(p.Icon))
		}
	})
}
