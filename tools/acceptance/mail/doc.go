// Package mail has tests only: they test package internal/mail of the product, and what package notices tells
// members by it, with an SMTP server, which they stop, and which refuses, delays and drops connections.
package mail
