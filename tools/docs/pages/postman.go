package main

import (
	"net/http"
	"strconv"
	"strings"
)

// collection is a Postman collection, format 2.1.0.
type collection struct {
	Info      collectionInfo `json:"info"`
	Auth      collectionAuth `json:"auth"`
	Folders   []folder       `json:"item"`
	Variables []keyValue     `json:"variable"`
}

type collectionInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      string `json:"schema"`
}

type collectionAuth struct {
	Type   string     `json:"type"`
	Bearer []keyValue `json:"bearer,omitempty"`
}

type keyValue struct {
	Key         string `json:"key"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Type        string `json:"type,omitempty"`
	Disabled    bool   `json:"disabled,omitempty"`
}

type folder struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Items       []item `json:"item"`
}

type item struct {
	Name      string          `json:"name"`
	Events    []postmanEvent  `json:"event,omitempty"`
	Request   postmanRequest  `json:"request"`
	Responses []postmanAnswer `json:"response"`
}

// postmanEvent runs a script on an event.
type postmanEvent struct {
	Listen string        `json:"listen"`
	Script postmanScript `json:"script"`
}

type postmanScript struct {
	Type string   `json:"type"`
	Exec []string `json:"exec"`
}

type postmanRequest struct {
	Auth        *collectionAuth `json:"auth,omitempty"` // if it differs from the collection's
	Method      string          `json:"method"`
	Header      []keyValue      `json:"header"`
	URL         postmanURL      `json:"url"`
	Body        *postmanBody    `json:"body,omitempty"`
	Description string          `json:"description"`
}

type postmanURL struct {
	Raw      string     `json:"raw"`
	Host     []string   `json:"host"`
	Path     []string   `json:"path"`
	Query    []keyValue `json:"query,omitempty"`
	Variable []keyValue `json:"variable,omitempty"` // parts of the path
}

type postmanBody struct {
	Mode    string         `json:"mode"`
	Raw     string         `json:"raw"`
	Options map[string]any `json:"options"`
}

type postmanAnswer struct {
	Name            string         `json:"name"`
	OriginalRequest postmanRequest `json:"originalRequest"`
	Status          string         `json:"status"`
	Code            int            `json:"code"`
	Language        string         `json:"_postman_previewlanguage"`
	Header          []keyValue     `json:"header"`
	Body            string         `json:"body"`
}

// collectionOf returns a collection in which each operation is a request that can be sent once the
// credentials are filled in, with the operation's examples as answers.
func collectionOf(api reference) collection {
	c := collection{
		Info: collectionInfo{
			Name: "Daftar", Schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
			Description: "Fill in apiKey and accessToken among the variables. " +
				"Made from the OpenAPI document at " + api.Server + "/openapi.yaml.",
		},
		Auth: collectionAuth{"bearer", []keyValue{{Key: "token", Value: "{{accessToken}}", Type: "string"}}},
		Variables: []keyValue{
			{Key: "baseUrl", Value: api.Server}, {Key: "apiKey", Description: "pk_…, of the application"},
			{Key: "accessToken", Description: "at_…, of the organisation"},
			{Key: "uuid", Description: "of the intent that was created last"},
			{Key: "refund", Description: "the uuid of the refund that was created last"},
		},
	}
	// In the order of their first operations: an intent is created before it is retrieved.
	at := map[string]int{}
	for _, o := range api.Operations {
		n, known := at[o.Tag]
		if !known {
			n = len(c.Folders)
			at[o.Tag] = n
			c.Folders = append(c.Folders, folder{Name: o.Tag, Description: api.describe(o.Tag)})
		}
		c.Folders[n].Items = append(c.Folders[n].Items, itemOf(o))
	}
	return c
}

// describe returns the description of a tag.
func (api reference) describe(name string) string {
	for _, t := range api.Tags {
		if t.Name == name {
			return t.Description
		}
	}
	return ""
}

// keepID stores the id of what was created for the following requests.
func keepID(variable string) []postmanEvent {
	return []postmanEvent{{"test", postmanScript{"text/javascript", []string{
		"if (pm.response.code < 300) pm.collectionVariables.set('" + variable + "', pm.response.json().data.uuid);",
	}}}}
}

func itemOf(o operation) item {
	r := requestOf(o)
	one := item{Name: o.Summary, Request: r, Responses: []postmanAnswer{}}
	switch o.ID {
	case "createPaymentIntent":
		one.Events = keepID("uuid")
	case "createRefund":
		one.Events = keepID("refund")
	}
	for _, a := range o.Answers {
		code, err := strconv.Atoi(a.Status)
		for _, e := range a.Examples {
			if err != nil {
				continue // a range of statuses
			}
			one.Responses = append(one.Responses, postmanAnswer{
				Name: strings.TrimSpace(a.Status + " " + e.Summary), OriginalRequest: r,
				Status: http.StatusText(code), Code: code,
				Language: "json", Body: e.JSON,
				Header: []keyValue{{Key: "Content-Type", Value: "application/json"}},
			})
		}
	}
	return one
}

func requestOf(o operation) postmanRequest {
	r := postmanRequest{
		Method: o.Method, Header: []keyValue{{Key: "Accept", Value: "application/json"}},
		Description: o.Description.Text,
		URL: postmanURL{
			Raw:  "{{baseUrl}}" + strings.NewReplacer("{", ":", "}", "").Replace(o.Path),
			Host: []string{"{{baseUrl}}"},
		},
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(o.Path, "/"), "/") {
		r.URL.Path = append(r.URL.Path, strings.NewReplacer("{", ":", "}", "").Replace(part))
	}
	if o.Secured {
		r.Header = append(r.Header, keyValue{Key: "X-API-Key", Value: "{{apiKey}}"})
	} else {
		r.Auth = &collectionAuth{Type: "noauth"}
	}
	for _, p := range o.Parameters {
		one := keyValue{Key: p.Name, Value: p.Value, Description: p.Description.Text}
		switch p.In {
		case "path":
			one.Value = "{{" + p.Name + "}}"
			if o.ID == "retrieveRefund" {
				one.Value = "{{refund}}"
			}
			r.URL.Variable = append(r.URL.Variable, one)
		case "query":
			one.Disabled = true // each filters out everything that does not match
			r.URL.Query = append(r.URL.Query, one)
		}
	}
	if len(o.Examples) > 0 {
		r.Header = append(r.Header, keyValue{Key: "Content-Type", Value: "application/json"})
		last := o.Examples[len(o.Examples)-1].JSON
		r.Body = &postmanBody{"raw", last, map[string]any{"raw": map[string]any{"language": "json"}}}
	}
	return r
}
