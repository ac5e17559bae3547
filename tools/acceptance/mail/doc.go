// Package mail has tests only: package internal/mail of the product against an SMTP
// server, which they stop, and which refuses, delays and cuts off.
package mail
