// Package settings has what a merchant chooses: the brand of an application, its shop page, its
// accounts with acquirers and what the checkout offers of them, how an organisation reads
// acquirers' statements, and a user's saved views of the list of payments. Package accounts decides
// who may change it.
//
// # What it promises
//
// Credentials of acquirers are sealed with AES-256-GCM under DAFTAR_SECRET_KEY, bound to
// application and acquirer. Methods, limits and order are kept in clear; the caller, which
// knows the acquirer, checks them. A change applies from the next request.
//
// The name of a shop page is on paper, so it never becomes another application's.
//
// # When it fails
//
// The named errors of each method are about the request; anything else is the database's, or
// DAFTAR_SECRET_KEY is missing.
//
// # Who owns what
//
// Settings owns nothing; the pool stays the caller's.
package settings
