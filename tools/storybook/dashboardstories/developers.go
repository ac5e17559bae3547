package dashboardstories

import (
	"daftar/accounts"
	"daftar/dashboard/view"
)

// developerStories are the developers' corner.
func developerStories() []Story {
	shop, market, _ := credentials()
	corner := func(language string, done int) view.DevelopersPage {
		p := view.DevelopersPage{
			BaseURL: "https://pay.example.ly/api/v1", Applications: []accounts.Credentials{shop, market}, At: &shop,
			Languages: view.SnippetLanguages, Language: view.LanguageByKey(language),
			Steps: view.Steps{
				{Name: view.StepApplication, Path: "applications/new"}, {Name: view.StepToken, Path: "tokens/new"},
				{Name: view.StepIntent}, {Name: view.StepPaid},
				{Name: view.StepURL, Path: "applications/" + shop.ID.String()},
				{Name: view.StepDelivered, Path: "applications/" + shop.ID.String()},
			},
		}
		for n := range done {
			p.Steps[n].Done = true
		}
		code, err := view.SnippetsFor(p.Language,
			view.SnippetValues{BaseURL: p.BaseURL, Application: shop.Name, KeyEnding: shop.KeyEnding})
		if err != nil {
			panic("dashboardstories: " + err.Error())
		}
		p.Code = code
		return p
	}
	first := corner("curl", 0)
	first.Applications, first.At = nil, nil
	all := []Story{{"developers-first", inside(view.SectionDevelopers, first)}}
	for n, l := range view.SnippetLanguages {
		all = append(all, Story{
			"developers-" + l.Key(),
			inside(view.SectionDevelopers, corner(l.Key(), n+2)).seenBy(developerIdentity),
		})
	}
	return all
}
