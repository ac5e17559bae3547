package storybook

import (
	"regexp"
	"strings"

	"daftar/internal/locale"
	"daftar/tools/storybook/dashboardstories"
)

// dashboardGroups are the pages of an organisation's people, by what they do.
func dashboardGroups() []Group {
	who := locale.Text{Arabic: "المتجر", English: "The merchant"}
	groups := []Group{
		{Folder: dashboardFolder, Who: who, What: locale.Text{Arabic: "يدخل إلى حسابه", English: "signs in"}},
		{Folder: dashboardFolder, Who: who, What: locale.Text{
			Arabic: "يتابع المدفوعات والأموال", English: "follows payments and money",
		}},
		{Folder: dashboardFolder, Who: who, What: locale.Text{
			Arabic: "يربط متجره", English: "connects a shop",
		}},
		{Folder: dashboardFolder, Who: who, What: locale.Text{
			Arabic: "يدير الأعضاء", English: "manages people",
		}},
	}
	at := map[string]int{
		"overview": 1, "payments": 1, "views": 1, "payment": 1, "money": 1, "decisions": 1, "decided": 1,
		"mails": 1, "mails-end": 1, "mails-ended": 1,
		"applications": 2, "application": 2, "application-new": 2, "application-secrets": 2, "tokens": 2,
		"token-new": 2, "token-value": 2,
		"webhooks": 2, "delivery-page": 2, "developers": 2,
		"acquirers": 2, "brand": 2, "acquirer": 2, "acquirer-credentials": 2,
		"people": 3, "person": 3, "invite": 3, "invited": 3, "invitation": 3, "invitation-over": 3, "audit": 3,
	}
	for _, s := range dashboardstories.All() {
		g := &groups[at[s.Template()]]
		g.Pages = append(g.Pages, Page{
			Name: s.Name, When: s.Title(), View: s.Template(),
			render: func(l locale.Lang, self string) ([]byte, error) { return s.Page(l, self).Render() },
		})
	}
	return groups
}

const dashboardFolder = "dashboard"

// storyOf maps the path of a page of the dashboard to its story.
var storyOf = map[string]string{
	"/sign-in":                         "sign-in",
	"/forgotten":                       "forgotten",
	"/sign-up":                         "sign-up",
	"/organizations":                   "organizations",
	"/account":                         "account",
	"/account/password":                "password",
	"/account/second-factor":           "second-factor-off",
	"/account/passkeys":                "passkeys",
	"":                                 "overview",
	"overview":                         "overview",
	"payments":                         "payments",
	"payments/":                        "payment",
	"payments/views":                   "views",
	"money":                            "money",
	"decisions":                        "decisions",
	"decisions/decided":                "decided",
	"applications":                     "applications",
	"applications/new":                 "application-new",
	"applications/":                    "application",
	"tokens":                           "tokens",
	"tokens/new":                       "token-new",
	"webhooks":                         "webhooks",
	"webhooks/deliveries/":             "webhook-delivery",
	"developers":                       "developers-curl",
	"people":                           "people",
	"people/invite":                    "invite",
	"people/":                          "person",
	"audit":                            "audit",
	"mails":                            "mails",
	"applications//brand":              "brand",
	"applications//brand/preview":      "../checkout/pay-brand-preview",
	"/pay/secure":                      "../checkout/secure",
	"applications//acquirers":          "acquirers",
	"applications//acquirers/plutu":    "acquirer-plutu",
	"applications//acquirers/moamalat": "acquirer-off",
	"applications//acquirers/plutu/credentials":    "acquirer-credentials",
	"applications//acquirers/moamalat/credentials": "acquirer-credentials-replace",
	"applications//acquirers/lypay/credentials":    "acquirer-credentials-lypay",
}

const uuidForm = `[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`

var (
	dashboardLinks = regexp.MustCompile(` (href|action|src)="(/(?:api|dashboard|docs|pay)[^"]*)"`)
	uuids          = regexp.MustCompile(uuidForm)
	organization   = regexp.MustCompile(`^/` + uuidForm + `(/|$)`)
)

// withinDashboard changes the links of a dashboard page to the files of the storybook. Links
// to pages without a story become "#".
func withinDashboard(page string, l locale.Lang) string {
	return dashboardLinks.ReplaceAllStringFunc(page, func(link string) string {
		found := dashboardLinks.FindStringSubmatch(link)
		attribute, address := found[1], found[2]
		address, _, _ = strings.Cut(address, "#")
		path, query, _ := strings.Cut(address, "?")
		if file := documentFile(path, query); file != "" {
			return ` href="` + file + `"`
		}
		path = strings.TrimPrefix(path, "/dashboard")
		path = organization.ReplaceAllString(path, "")
		if attribute == "src" { // a frame, which shows either language
			l = locale.Arabic
			if query == "lang=en" {
				l = locale.English
			}
		}
		name, known := storyOf[uuids.ReplaceAllString(path, "")]
		switch {
		case known:
			return ` ` + attribute + `="` + name + `.` + l.String() + `.html"`
		case attribute != "action":
			return ` ` + attribute + `="#"`
		}
		return link // a form, which is answered without content
	})
}
