package dashboard

import "daftar/accounts"

// developerStories are the developers' corner.
func developerStories() []story {
	shop, market, _ := storyCredentials()
	corner := func(language string, done int) developersPage {
		p := developersPage{
			BaseURL: "https://pay.example.ly/api/v1", Applications: []accounts.Credentials{shop, market}, At: &shop,
			Languages: snippetLanguages, Language: languageCalled(language),
			Steps: []step{
				{stepApplication, false, "applications/new"}, {stepToken, false, "tokens/new"}, {stepIntent, false, ""}, {stepPaid, false, ""},
				{stepURL, false, "applications/" + shop.ID.String()}, {stepDelivered, false, "applications/" + shop.ID.String()},
			},
		}
		for n := range done {
			p.Steps[n].Done = true
		}
		code, err := snippetsFor(p.Language, snippetValues{BaseURL: p.BaseURL, Application: shop.Name, KeyEnding: shop.KeyEnding})
		if err != nil {
			panic("dashboard: " + err.Error())
		}
		p.Code = code
		return p
	}
	first := corner("curl", 0)
	first.Applications, first.At = nil, nil
	all := []story{{"developers-first", inside(sectionDevelopers, first)}}
	for n, l := range snippetLanguages {
		all = append(all, story{"developers-" + l.Key(), inside(sectionDevelopers, corner(l.Key(), n+2)).seenBy(storyDeveloper)})
	}
	return append(
		all,
		story{"developers-reference", inside(sectionDevelopers, referencePage{BaseURL: "https://pay.example.ly/api/v1"})},
		story{"developers-webhooks", inside(sectionDevelopers, guidePage{})},
		story{"developers-sandbox", inside(sectionDevelopers, sandboxPage{On: true})},
		story{"developers-sandbox-off", page{Who: storyOwner, Here: sectionDevelopers, View: sandboxPage{}}},
	)
}
