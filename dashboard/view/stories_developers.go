package view

import "daftar/accounts"

// developerStories are the developers' corner.
func developerStories() []story {
	shop, market, _ := storyCredentials()
	corner := func(language string, done int) DevelopersPage {
		p := DevelopersPage{
			BaseURL: "https://pay.example.ly/api/v1", Applications: []accounts.Credentials{shop, market}, At: &shop,
			Languages: SnippetLanguages, Language: LanguageByKey(language),
			Steps: []Step{
				{StepApplication, false, "applications/new"}, {StepToken, false, "tokens/new"}, {StepIntent, false, ""}, {StepPaid, false, ""},
				{StepURL, false, "applications/" + shop.ID.String()}, {StepDelivered, false, "applications/" + shop.ID.String()},
			},
		}
		for n := range done {
			p.Steps[n].Done = true
		}
		code, err := SnippetsFor(p.Language, SnippetValues{BaseURL: p.BaseURL, Application: shop.Name, KeyEnding: shop.KeyEnding})
		if err != nil {
			panic("view: " + err.Error())
		}
		p.Code = code
		return p
	}
	first := corner("curl", 0)
	first.Applications, first.At = nil, nil
	all := []story{{"developers-first", inside(SectionDevelopers, first)}}
	for n, l := range SnippetLanguages {
		all = append(all, story{"developers-" + l.Key(), inside(SectionDevelopers, corner(l.Key(), n+2)).seenBy(storyDeveloper)})
	}
	return append(
		all,
		story{"developers-reference", inside(SectionDevelopers, ReferencePage{BaseURL: "https://pay.example.ly/api/v1"})},
		story{"developers-webhooks", inside(SectionDevelopers, GuidePage{})},
		story{"developers-sandbox", inside(SectionDevelopers, SandboxPage{On: true})},
		story{"developers-sandbox-off", Page{Who: storyOwner, Here: SectionDevelopers, View: SandboxPage{}}},
	)
}
