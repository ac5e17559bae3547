// Package docs holds the documents, and carries the guide whose code the dashboard
// shows. It holds text and no code, and nothing in it can fail. Its generators write
// the catalogue of events and the pages that the dashboard serves.
package docs

//go:generate go run ./catalogue
//go:generate go run ./pages
