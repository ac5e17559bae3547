package logo

import (
	"bytes"
	"encoding/binary"
	"image"
)

// Orientations as EXIF numbers them. Cameras store what the sensor saw, and a tag that says how to
// turn it; browsers turn the picture, and Go's decoders do not.
const (
	upright        = 1
	orientationTag = 0x0112
	shortType      = 3
)

// orientation reads the EXIF data of a picture, which are a TIFF file. It returns upright if they
// have no orientation in a form that browsers read.
func orientation(exif []byte) int {
	if len(exif) < 8 {
		return upright
	}
	var order binary.ByteOrder
	switch string(exif[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	const entrySize = 12
	at := uint64(order.Uint32(exif[4:]))
	if at+2 > uint64(len(exif)) {
		return upright
	}
	entries := exif[at+2:]
	for range order.Uint16(exif[at:]) {
		if len(entries) < entrySize {
			return upright
		}
		if order.Uint16(entries) == orientationTag {
			o := int(order.Uint16(entries[8:]))
			if order.Uint16(entries[2:]) == shortType && order.Uint32(entries[4:]) == 1 && upright < o && o <= 8 {
				return o
			}
			return upright
		}
		entries = entries[entrySize:]
	}
	return upright
}

// jpegEXIF are the EXIF data of a JPEG, in the first segment that has such; nil: there are none.
func jpegEXIF(file []byte) []byte {
	const app1, startOfScan, head = 0xe1, 0xda, len("Exif\x00?")
	for file = file[2:]; len(file) >= 4 && file[0] == 0xff; {
		if file[1] == 0xff { // a fill byte
			file = file[1:]
			continue
		}
		size := int(binary.BigEndian.Uint16(file[2:]))
		if file[1] == startOfScan || size < 2 || len(file) < 2+size {
			return nil
		}
		data := file[4 : 2+size]
		if file[1] == app1 && len(data) >= head && bytes.HasPrefix(data, []byte("Exif\x00")) {
			return data[head:]
		}
		file = file[2+size:]
	}
	return nil
}

// pngEXIF are those of a PNG, before its pixels.
func pngEXIF(file []byte) []byte {
	const head, sum = 8, 4
	for file = file[8:]; len(file) >= head+sum; {
		size, kind := uint64(binary.BigEndian.Uint32(file)), string(file[4:head])
		if kind == "IDAT" || uint64(len(file)) < head+size+sum {
			return nil
		}
		if kind == "eXIf" {
			return file[head : head+size]
		}
		file = file[head+size+sum:]
	}
	return nil
}

// webpEXIF are those of a WebP, after its pixels. Some programs write the head of JPEG's before
// them. Chromium ignores them, and image viewers do not.
func webpEXIF(file []byte) []byte {
	const head = 8
	for file = file[12:]; len(file) >= head; {
		size := uint64(binary.LittleEndian.Uint32(file[4:]))
		padded := head + size + size%2
		if uint64(len(file)) < head+size {
			return nil
		}
		if string(file[:4]) == "EXIF" {
			return bytes.TrimPrefix(file[head:head+size], []byte("Exif\x00\x00"))
		}
		file = file[min(padded, uint64(len(file))):]
	}
	return nil
}

// oriented turns a picture upright.
func oriented(m *image.RGBA, orientation int) *image.RGBA {
	if orientation == upright {
		return m
	}
	size := m.Rect.Size()
	onSide := orientation >= 5
	out := image.NewRGBA(image.Rectangle{Max: size})
	if onSide {
		out = image.NewRGBA(image.Rect(0, 0, size.Y, size.X))
	}
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			column, row := x, y
			if onSide {
				column, row = y, x
			}
			switch orientation {
			case 2, 3, 7, 8:
				column = size.X - 1 - column
			}
			switch orientation {
			case 3, 4, 6, 7:
				row = size.Y - 1 - row
			}
			out.SetRGBA(x, y, m.RGBAAt(column, row))
		}
	}
	return out
}
