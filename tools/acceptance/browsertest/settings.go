package browsertest

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The default text sizes of a browser, in pixels: of text, and of code.
const usualText, usualCode = 16, 13

// SetFontSize changes the visitor's text size, in pixels; 0: the default. The current page is laid
// out again.
func (b *Tab) SetFontSize(pixels int) {
	b.t.Helper()
	text, code := pixels, pixels
	if pixels == 0 {
		text, code = usualText, usualCode
	}
	b.do("set the text size", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		return fontSize(ctx, text, code)()
	}))
	b.options.FontSize = pixels
}

// Resize changes the screen's size, in pixels. The current page is laid out again.
func (b *Tab) Resize(width, height int) {
	b.t.Helper()
	b.do("resize the screen", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		return screen(ctx, width, height)()
	}))
	b.options.Width, b.options.Height = width, height
	resized := false
	b.read(fmt.Sprintf(`matchMedia("(width: %dpx) and (height: %dpx)").matches`, width, height), &resized,
		func() bool { return resized })
}

func screen(ctx context.Context, width, height int) func() error {
	return command(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(width), Height: int64(height), DeviceScaleFactor: 1, Mobile: width <= phone,
	})
}

func fontSize(ctx context.Context, text, code int) func() error {
	return command(ctx, page.SetFontSizes, page.SetFontSizesParams{
		FontSizes: &page.FontSizes{Standard: int64(text), Fixed: int64(code)},
	})
}
