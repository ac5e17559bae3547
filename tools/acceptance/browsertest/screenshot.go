package browsertest

import (
	"context"
	"os"
	"path/filepath"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Screenshot saves the whole page, including the part below the screen, as NAME.png in var/pages or
// in the folder that DAFTAR_PAGES names. NAME may have folders. The picture has text of the default
// size, whatever Options.FontSize is.
func (b *Tab) Screenshot(name string) {
	b.t.Helper()
	png := b.Picture(0)
	dir := os.Getenv("DAFTAR_PAGES")
	if dir == "" {
		root, err := repositoryRoot()
		if err != nil {
			b.t.Fatalf("browser: %v", err)
		}
		dir = filepath.Join(root, "var", "pages")
	}
	path := filepath.Join(dir, filepath.FromSlash(name)+".png")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // pictures of test pages
		b.t.Fatalf("browser: keep a picture: %v", err)
	}
	if err := os.WriteFile(path, png, 0o644); err != nil { //nolint:gosec // as above
		b.t.Fatalf("browser: keep a picture: %v", err)
	}
}

// Picture returns the page as a PNG, including the part below the screen, up to a height in pixels;
// 0: the whole page. The fonts are loaded first. The screen is as high as the picture meanwhile: what
// stays at its foot is drawn there, and completely.
func (b *Tab) Picture(highest int) (png []byte) {
	b.t.Helper()
	b.Page() // loaded completely
	var drawn bool
	b.read(`document.body.offsetHeight >= 0 && document.fonts.status === "loaded"`, &drawn, func() bool {
		return drawn
	})
	size := b.contentSize()
	if highest > 0 {
		size.Height = min(size.Height, float64(highest))
	}
	if width, height := b.options.Width, b.options.Height; int(size.Height) > height {
		b.Resize(width, int(size.Height))
		defer b.Resize(width, height)
	}
	b.do("take a picture", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		wider := int(size.Width) > b.options.Width
		picture, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Format: page.CaptureScreenshotFormatPng, CaptureBeyondViewport: &wider,
			Clip: &page.Viewport{Width: size.Width, Height: size.Height, Scale: 1},
		})
		png = picture.Data
		return err
	}))
	return png
}

// contentSize is the size of the page, including the part below the screen.
func (b *Tab) contentSize() (size *dom.Rect) {
	b.t.Helper()
	b.do("measure the page", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		layout, err := chromedp.Call(ctx, page.GetLayoutMetrics, cdp.Empty{})
		size = layout.CSSContentSize
		return err
	}))
	return size
}

// Browser is the browser's name and version.
func (b *Tab) Browser() string {
	b.t.Helper()
	var product string
	b.do("ask for the version", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		version, err := chromedp.Call(ctx, protocol.GetVersion, cdp.Empty{})
		product = version.Product
		return err
	}))
	return product
}
