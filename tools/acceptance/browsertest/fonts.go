package browsertest

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// Font is a font with which the browser drew text.
type Font struct {
	Name   string // the font's own name, not its name in the style sheet
	Loaded bool   // false: a font of the machine
	Glyphs int
}

// Fonts returns the fonts with which the first matching element is drawn.
func (b *Tab) Fonts(selector string) []Font {
	b.t.Helper()
	var fonts []Font
	b.do("ask for fonts", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		if _, err := chromedp.Call(ctx, dom.Enable, dom.EnableParams{}); err != nil {
			return err
		}
		if _, err := chromedp.Call(ctx, css.Enable, cdp.Empty{}); err != nil {
			return err
		}
		document, err := chromedp.Call(ctx, dom.GetDocument, dom.GetDocumentParams{})
		if err != nil {
			return err
		}
		element, err := chromedp.Call(ctx, dom.QuerySelector,
			dom.QuerySelectorParams{NodeID: document.Root.NodeID, Selector: selector})
		if err != nil {
			return err
		}
		used, err := chromedp.Call(ctx, css.GetPlatformFontsForNode,
			css.GetPlatformFontsForNodeParams{NodeID: element.NodeID})
		for _, f := range used.Fonts {
			fonts = append(fonts, Font{Name: f.FamilyName, Loaded: f.IsCustomFont, Glyphs: int(f.GlyphCount)})
		}
		return err
	}))
	return fonts
}
