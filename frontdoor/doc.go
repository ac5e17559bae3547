// Package frontdoor serves /, the page that says what the service is, in Arabic and English, and
// leads to the documentation, the sign-in and, where people may sign up, to that.
//
// The page needs neither the database nor a sign-in nor a script, and is the same for every reader.
// Where there is a demonstration (Config.Demo), its button makes a payment of a test application and
// leads to the payer's pages; only that needs the database.
//
// # When it fails
//
// A demonstration that cannot be made is answered with the page and a notice: 429 where a network,
// or all of them together, made too many, and 503 where the application is not active or the
// database is out of reach. OpenDemo refuses an application that is live or does not exist. New
// panics on a broken template: it is embedded, so no run can repair it.
//
// The package owns nothing that has to be given back.
package frontdoor
