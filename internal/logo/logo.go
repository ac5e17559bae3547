package logo

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// Limits of a file.
const (
	MaxBytes = 2 << 20
	MaxSide  = 2500 // pixels
	MinSide  = 48
)

// Limits of a JPEG's scans. Each covers the whole picture, and may take only a few bytes of the
// file. Cameras and programs write about ten, including those of a thumbnail.
const (
	maxScans   = 100
	maxScanned = 200_000_000 // pixels of all scans
)

// What is wrong with a file.
var (
	ErrFormat = errors.New("not a whole picture in PNG, JPEG or WebP")
	ErrLarge  = errors.New("the picture has too many pixels")
	ErrSmall  = errors.New("the picture has too few pixels")
	ErrBlank  = errors.New("the picture shows nothing")
	ErrScans  = errors.New("the picture is drawn in too many steps")
)

// Pictures are what pages show: PNG or JPEG, whichever is smaller.
type Pictures struct {
	Mark  []byte // in the head of a page, twice as many pixels as it is large
	Icon  []byte // in the browser's tab
	Share []byte // in a message with a link
}

type format struct {
	begins string // ? is any byte
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	exif   func(file []byte) []byte
}

const jpegBegins = "\xff\xd8\xff"

var formats = []format{
	{"\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode, pngEXIF},
	{jpegBegins, jpeg.DecodeConfig, jpeg.Decode, jpegEXIF},
	{"RIFF????WEBPVP8", webp.DecodeConfig, webp.Decode, webpEXIF},
}

func (f format) fits(file []byte) bool {
	if len(file) < len(f.begins) {
		return false
	}
	for n := range len(f.begins) {
		if f.begins[n] != '?' && f.begins[n] != file[n] {
			return false
		}
	}
	return true
}

// Read makes the pictures from a file.
func Read(file []byte) (Pictures, error) {
	source, turn, err := decode(file)
	if err != nil {
		return Pictures{}, err
	}
	l, err := newLogo(source, turn)
	if err != nil {
		return Pictures{}, err
	}
	return Pictures{Mark: l.mark(), Icon: l.icon(), Share: l.share()}, nil
}

// decode returns the picture of a file as it is stored, and its orientation.
func decode(file []byte) (image.Image, int, error) {
	for _, f := range formats {
		if !f.fits(file) {
			continue
		}
		claimed, err := f.config(bytes.NewReader(file))
		switch {
		case err != nil:
			return nil, 0, ErrFormat
		case claimed.Width > MaxSide || claimed.Height > MaxSide:
			return nil, 0, ErrLarge
		case claimed.Width < MinSide || claimed.Height < MinSide:
			return nil, 0, ErrSmall
		case f.begins == jpegBegins && hasManyScans(file, claimed):
			return nil, 0, ErrScans
		}
		m, err := f.decode(bytes.NewReader(file))
		if err != nil {
			return nil, 0, ErrFormat
		}
		return m, orientation(f.exif(file)), nil
	}
	return nil, 0, ErrFormat
}

// hasManyScans reports whether a JPEG may have so many scans that decoding takes too long. It counts
// the two bytes that mark a scan; those that occur in metadata do no harm.
func hasManyScans(file []byte, claimed image.Config) bool {
	scans := bytes.Count(file, []byte("\xff\xda"))
	return scans > maxScans || scans*claimed.Width*claimed.Height > maxScanned
}

// logo is a picture without the empty space around it, and the ground to draw it on.
type logo struct {
	*image.RGBA

	ground color.RGBA
	// bare is true for a picture that is not opaque: it gets some space around it.
	bare bool
}

// workSide is the longest side, in pixels, to which a logo is scaled first: no picture that is
// made from it shows more.
const workSide = 1024

// The backgrounds of a logo that has none. A logo that is lighter than lightLogo on average is
// hard to see on white.
var (
	lightGround = color.RGBA{255, 255, 255, 255}
	darkGround  = color.RGBA{0x17, 0x23, 0x2b, 255}
)

const lightLogo = 0.55

// newLogo makes a logo from a picture with that orientation.
func newLogo(source image.Image, orientation int) (*logo, error) {
	source = halved(source)
	size := source.Bounds().Size()
	if longest := max(size.X, size.Y); longest > workSide {
		size = image.Pt(max(1, size.X*workSide/longest), max(1, size.Y*workSide/longest))
	}
	all := image.NewRGBA(image.Rectangle{Max: size})
	draw.CatmullRom.Scale(all, all.Rect, source, source.Bounds(), draw.Src, nil)
	all = oriented(all, orientation)
	if all.Opaque() {
		return &logo{RGBA: all, ground: all.RGBAAt(0, 0)}, nil
	}
	shown, light := measure(all)
	if shown.Empty() {
		return nil, ErrBlank
	}
	cut, is := all.SubImage(shown).(*image.RGBA)
	if !is {
		panic("logo: a part of a picture is of another kind")
	}
	l := &logo{RGBA: cut, ground: lightGround, bare: true}
	if light > lightLogo {
		l.ground = darkGround
	}
	return l, nil
}

// halved halves a picture that is larger than twice what is needed: the mean of four pixels takes a
// fraction of the time of a good scaler, which scales the result further.
func halved(source image.Image) image.Image {
	from := source.Bounds()
	if max(from.Dx(), from.Dy()) < 2*workSide {
		return source
	}
	band := image.NewRGBA(image.Rect(0, 0, from.Dx(), 2)) // draw.Draw is fast for every kind of picture
	half := image.NewRGBA(image.Rect(0, 0, max(1, from.Dx()/2), max(1, from.Dy()/2)))
	for y := range half.Rect.Dy() {
		draw.Draw(band, band.Rect, source, from.Min.Add(image.Pt(0, 2*y)), draw.Src)
		upper, lower, to := band.Pix[:band.Stride], band.Pix[band.Stride:], half.Pix[y*half.Stride:]
		for x := range half.Rect.Dx() {
			for c := 4 * x; c < 4*x+4; c++ {
				at := c + 4*x
				to[c] = byte((int(upper[at]) + int(upper[at+4]) + int(lower[at]) + int(lower[at+4]) + 2) / 4)
			}
		}
	}
	return half
}

// measure finds the part of a picture that shows something, and how light that is on average, from
// 0 to 1.
func measure(m *image.RGBA) (shown image.Rectangle, light float64) {
	const invisible = 8 // an alpha of at most 8 of 255
	var sum, weight float64
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			c := m.RGBAAt(x, y)
			if c.A <= invisible {
				continue
			}
			shown = shown.Union(image.Rect(x, y, x+1, y+1))
			// The channels have been multiplied with the alpha; grey is good enough here.
			sum += 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
			weight += float64(c.A)
		}
	}
	if weight > 0 {
		light = sum / weight
		light *= light // about what gamma does
	}
	return shown, light
}

// Sizes in pixels; MarkHeight is layout.LogoHeight, Scale times.
const (
	Scale         = 2
	MarkHeight    = 40 * Scale
	maxMarkWidth  = 120 * Scale
	markSpace     = 7 * Scale
	iconSide      = 32
	shareWidth    = 600
	shareHeight   = 315
	shareSpace    = 50
	maxMarkBytes  = 10 << 10
	maxIconBytes  = 2 << 10
	maxShareBytes = 80 << 10
)

func (l *logo) mark() []byte {
	space := 0
	if l.bare {
		space = markSpace
	}
	inner := (MarkHeight - 2*space) * l.Rect.Dx() / l.Rect.Dy()
	width := min(max(inner+2*space, MarkHeight), maxMarkWidth)
	width += width % Scale // whole pixels of a page
	return encode(l.centered(width, MarkHeight, space), maxMarkBytes)
}

func (l *logo) icon() []byte {
	space := 0
	if l.bare {
		space = 2
	}
	return encode(l.centered(iconSide, iconSide, space), maxIconBytes)
}

func (l *logo) share() []byte {
	return encode(l.centered(shareWidth, shareHeight, shareSpace), maxShareBytes)
}

// centered is the logo in the middle of its ground, as large as fits with so much space around it.
func (l *logo) centered(width, height, space int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(m, m.Rect, image.NewUniform(l.ground), image.Point{}, draw.Src)
	w, h := width-2*space, height-2*space
	if l.Rect.Dx()*h > w*l.Rect.Dy() {
		h = max(1, w*l.Rect.Dy()/l.Rect.Dx())
	} else {
		w = max(1, h*l.Rect.Dx()/l.Rect.Dy())
	}
	corner := image.Pt((width-w)/2, (height-h)/2)
	draw.CatmullRom.Scale(m, image.Rectangle{corner, corner.Add(image.Pt(w, h))}, l.RGBA, l.Rect, draw.Over, nil)
	return m
}

// encode writes a picture as PNG, or as JPEG if that has fewer bytes and PNG more than most. It
// lowers the quality until the limit is met, or at 15.
func encode(m image.Image, most int) []byte {
	var best bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&best, m); err != nil {
		panic("logo: " + err.Error()) // a buffer takes every write, and the size is ours
	}
	for _, quality := range []int{88, 75, 60, 45, 30, 15} {
		if best.Len() <= most {
			break
		}
		var other bytes.Buffer
		if err := jpeg.Encode(&other, m, &jpeg.Options{Quality: quality}); err != nil {
			panic("logo: " + err.Error())
		}
		if other.Len() < best.Len() {
			best = other
		}
	}
	return best.Bytes()
}

// Width is how wide a mark is on a page, in pixels of the page; 0 where it is none.
func Width(mark []byte) int {
	for _, f := range formats {
		if f.fits(mark) {
			if c, err := f.config(bytes.NewReader(mark)); err == nil {
				return c.Width / Scale
			}
		}
	}
	return 0
}
