package layout

import (
	"bytes"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
)

// qrQuiet is the margin that a scanner needs, in modules.
const qrQuiet = 4

// QR draws the QR code of a text, with a label for people who do not see it. It is dark on
// white in every colour scheme: some scanners know no other. The error says that the text
// is too long.
func QR(text, label string) (template.HTML, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	side := code.Bounds().Dx()
	var path strings.Builder
	for y := range side {
		for x := 0; x < side; {
			run := 0
			for x+run < side && code.At(x+run, y) == color.Black {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+qrQuiet, y+qrQuiet, run, run)
			}
			x += run + 1
		}
	}
	//nolint:gosec // figures, and a text that is escaped
	return template.HTML(fmt.Sprintf(
		`<svg class="qr" viewBox="0 0 %[1]d %[1]d" role="img" aria-label="%[2]s" shape-rendering="crispEdges">`+
			`<rect width="%[1]d" height="%[1]d" fill="#fff"/><path fill="#000" d="%[3]s"/></svg>`,
		side+2*qrQuiet, template.HTMLEscapeString(label), path.String())), nil
}

// qrScale is how many pixels of a picture are one module.
const qrScale = 8

// QRPicture is the QR code of a text as a PNG with its margin, for apps that read it from
// the phone's pictures. The error says that the text is too long.
func QRPicture(text string) ([]byte, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("draw QR code: %w", err)
	}
	side := code.Bounds().Dx() + 2*qrQuiet
	picture, err := barcode.Scale(code, code.Bounds().Dx()*qrScale, code.Bounds().Dx()*qrScale)
	if err != nil {
		return nil, fmt.Errorf("draw QR code: %w", err)
	}
	whole := image.Rect(0, 0, side*qrScale, side*qrScale)
	framed := image.NewPaletted(whole, color.Palette{color.White, color.Black})
	inner := picture.Bounds().Add(image.Pt(qrQuiet*qrScale, qrQuiet*qrScale))
	draw.Draw(framed, inner, picture, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := png.Encode(&out, framed); err != nil {
		return nil, fmt.Errorf("encode QR code: %w", err)
	}
	return out.Bytes(), nil
}
