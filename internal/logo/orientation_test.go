package logo_test

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"

	"daftar/internal/logo"
)

// tag is EXIF data of one tag, after another.
func tag(order binary.AppendByteOrder, number, kind uint16, count uint32, value uint16) []byte {
	b := []byte("II*\x00")
	if order == binary.BigEndian {
		b = []byte("MM\x00*")
	}
	b = order.AppendUint16(order.AppendUint32(b, 10), 0) // two unused bytes
	b = order.AppendUint16(b, 2)
	for _, t := range []struct {
		number, kind uint16
		count        uint32
		value        uint16
	}{{0x0100, 3, 1, 600}, {number, kind, count, value}} {
		b = order.AppendUint16(order.AppendUint16(b, t.number), t.kind)
		b = order.AppendUint16(order.AppendUint16(order.AppendUint32(b, t.count), t.value), 0)
	}
	return order.AppendUint32(b, 0)
}

// stored is a picture of 600 × 300 with four colours, the first of them at the top left, as a camera
// stores it with that orientation. The standard defines an orientation by the sides of the upright
// picture that the first row and the first column are.
func stored(orientation int) *image.NRGBA {
	size := image.Pt(600, 300)
	if orientation >= 5 {
		size = image.Pt(300, 600)
	}
	m := image.NewNRGBA(image.Rectangle{Max: size})
	for row := range size.Y {
		for column := range size.X {
			lastRow, lastColumn := size.Y-1-row, size.X-1-column
			at := map[int]image.Point{
				1: {column, row}, 2: {lastColumn, row}, 3: {lastColumn, lastRow}, 4: {column, lastRow}, // top, bottom
				5: {row, column}, 6: {lastRow, column}, 7: {lastRow, lastColumn}, 8: {row, lastColumn}, // left, right
			}[orientation]
			m.SetNRGBA(column, row, quarters[at.Y/150][at.X/300])
		}
	}
	return m
}

var quarters = [2][2]color.NRGBA{
	{{200, 30, 30, 255}, {30, 200, 30, 255}},
	{{30, 30, 200, 255}, {200, 200, 30, 255}},
}

// with inserts data into a file after its first bytes.
func with(file []byte, at int, data []byte) []byte { return slices.Concat(file[:at], data, file[at:]) }

func exifSegment(data []byte) []byte {
	return segment(0xe1, append([]byte("Exif\x00\x00"), data...)...)
}

// wantUpright checks every picture of a file.
func wantUpright(t *testing.T, name string, file []byte) {
	t.Helper()
	p, err := logo.Read(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if logo.Width(p.Mark) != 80 {
		t.Errorf("%s: the mark is %d wide, and not upright", name, logo.Width(p.Mark))
	}
	for part, picture := range map[string][]byte{"mark": p.Mark, "icon": p.Icon, "share": p.Share} {
		m := opened(t, picture)
		middle := m.Bounds().Size().Div(2)
		for y, row := range quarters {
			for x, want := range row {
				got := color.NRGBAModel.Convert(m.At(middle.X-4+8*x, middle.Y-3+6*y)).(color.NRGBA)
				differs := func(a, b uint8) bool { return max(a, b)-min(a, b) > 60 }
				if differs(got.R, want.R) || differs(got.G, want.G) || differs(got.B, want.B) {
					t.Errorf("%s: the %s has %v in its quarter %d %d, want %v", name, part, got, x, y, want)
				}
			}
		}
	}
}

// A phone stores what its sensor saw, and how to turn it. A logo is turned like that.
func TestOrientation(t *testing.T) {
	t.Parallel()
	for o := 1; o <= 8; o++ {
		photo, drawing, said := asJPEG(t, stored(o)), asPNG(t, stored(o)), uint16(o)
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			wantUpright(t, fmt.Sprintf("%d, %v, JPEG", o, order),
				with(photo, 2, exifSegment(tag(order, 0x0112, 3, 1, said))))
		}
		wantUpright(t, fmt.Sprintf("%d, PNG", o),
			with(drawing, 33, chunk("eXIf", tag(binary.BigEndian, 0x0112, 3, 1, said))))
	}
	jfif := segment(0xe0, []byte("JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00")...)
	xmp := segment(0xe1, []byte("http://ns.adobe.com/xap/1.0/\x00<x/>")...)
	others := slices.Concat(jfif, xmp, []byte{0xff}, exifSegment(tag(binary.LittleEndian, 0x0112, 3, 1, 6)))
	wantUpright(t, "after others", with(asJPEG(t, stored(6)), 2, others))
	for name, o := range map[string]int{"EXIF": 6, "none": 1} {
		file := flatWebP(60)
		if name == "EXIF" {
			file = flatWebP(60, "EXIF", string(tag(binary.LittleEndian, 0x0112, 3, 1, 6)))
		}
		if got := logo.Orientation(file); got != o {
			t.Errorf("WebP with %s: %d, want %d", name, got, o)
		}
	}
	data := "Exif\x00\x00" + string(tag(binary.BigEndian, 0x0112, 3, 1, 8))
	if got := logo.Orientation(flatWebP(60, "XMP ", "x", "EXIF", data)); got != 8 {
		t.Errorf("WebP with JPEG's head: %d", got)
	}
}

// EXIF data that browsers ignore are ignored.
func TestNoOrientation(t *testing.T) {
	t.Parallel()
	photo, drawing := asJPEG(t, stored(1)), asPNG(t, stored(1))
	six := tag(binary.BigEndian, 0x0112, 3, 1, 6)
	turnedLeft := exifSegment(six)
	for name, file := range map[string][]byte{
		"no such orientation": with(photo, 2, exifSegment(tag(binary.BigEndian, 0x0112, 3, 1, 9))),
		"zero":                with(photo, 2, exifSegment(tag(binary.BigEndian, 0x0112, 3, 1, 0))),
		"of another type":     with(photo, 2, exifSegment(tag(binary.LittleEndian, 0x0112, 4, 1, 6))),
		"two of them":         with(photo, 2, exifSegment(tag(binary.LittleEndian, 0x0112, 3, 2, 6))),
		"another tag":         with(photo, 2, exifSegment(tag(binary.LittleEndian, 0x0113, 3, 1, 6))),
		"the first one counts": with(photo, 2,
			append(exifSegment(tag(binary.BigEndian, 0x0112, 3, 1, 1)), turnedLeft...)),
		"cut off":            with(photo, 2, exifSegment(six[:len(six)-10])),
		"only a head":        with(photo, 2, exifSegment(six[:8])),
		"nothing":            with(photo, 2, exifSegment(nil)),
		"far away":           with(photo, 2, exifSegment([]byte("MM\x00*\xff\xff\xff\xff\x00\x01"))),
		"after the pixels":   with(drawing, len(drawing)-12, chunk("eXIf", six)),
		"JPEG's head in PNG": with(drawing, 33, chunk("eXIf", append([]byte("Exif\x00\x00"), six...))),
	} {
		if got := logo.Orientation(file); got != 1 {
			t.Errorf("%s: %d", name, got)
		}
	}
}

func FuzzOrientation(f *testing.F) {
	f.Add(with([]byte("\xff\xd8\xff\xd9"), 2, exifSegment(tag(binary.BigEndian, 0x0112, 3, 1, 6))))
	f.Add(append([]byte("\x89PNG\r\n\x1a\n"), chunk("eXIf", tag(binary.LittleEndian, 0x0112, 3, 1, 6))...))
	f.Add(riff("VP8X", "0123456789", "EXIF", string(tag(binary.LittleEndian, 0x0112, 3, 1, 6))))
	f.Fuzz(func(t *testing.T, file []byte) {
		if got := logo.Orientation(file); got < 1 || got > 8 {
			t.Errorf("orientation %d", got)
		}
	})
}
