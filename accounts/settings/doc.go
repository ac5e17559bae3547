// Package settings is what a merchant chooses: how an application's pages look, with which
// acquirers it has accounts and what the checkout offers of them, and the views of the list
// of payments that a person keeps. Who may change it is for package accounts to say.
//
// # What it promises
//
// Credentials of acquirers are sealed with AES-256-GCM under DAFTAR_SECRET_KEY, bound to
// application and acquirer. Methods, limits and order are kept in clear; which of them
// make sense is for the caller, who knows the acquirer. A change holds for the next request.
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
