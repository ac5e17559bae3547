// Package smtptest gives a test a separate SMTP server: Debian's aiosmtpd, on a port of this
// machine. The recipient's address decides what the server does with a mail; see server.py.
//
// A Server can be stopped and started again on the same port. It ends with the test, and with the
// process that started it.
package smtptest
