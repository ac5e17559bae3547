// Package mail queues mails in the database and sends them by SMTP.
//
// # What it promises
//
// Add queues a message in the caller's transaction: it is sent if that commits, also if
// servers restart meanwhile. A message is sealed in the queue under DAFTAR_SECRET_KEY,
// and deleted as soon as it is sent or has failed.
//
// Senders of all servers share the work: each claims one mail at a time by postponing
// its next attempt, so another server sends the mails of a server that dies. A mail
// whose outcome was lost is sent again, with the same Message-ID.
//
// Messages go over TLS to a server whose certificate is verified, or not at all: from the
// first byte on port 465 and where Settings.Server says smtps://, by STARTTLS elsewhere;
// Settings.InClear is for a server on this machine. No text can add a header.
//
// # When it fails
//
// A server that is out of reach, refuses the sign-in or answers 4xx is tried again,
// at growing pauses, for two days. After that, or after an answer 5xx, the mail has
// failed; its state and the answer are kept for a month.
//
// # Who owns what
//
// A Sender owns its connections. Run has the caller's goroutine, and one that counts what waits. It
// returns when its context has ended, within queue.StopsWithin. The pool stays the caller's.
package mail
