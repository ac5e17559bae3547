// Package smtptest gives a test an SMTP server of its own: Debian's aiosmtpd, on a port of
// this machine. What the server does with a mail goes by the recipient's address; see
// server.py.
//
// A Server can be stopped and started again on the same port. It ends with the test, and
// with the process that started it.
package smtptest
