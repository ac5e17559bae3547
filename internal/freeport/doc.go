// Package freeport finds free addresses on 127.0.0.1 for servers that are started later.
//
// # What it promises
//
// Take gives an address whose port nothing listens on. Until the process that took
// it ends, no other Take on the machine gives the same, and the kernel does not draw
// it for an outgoing connection: it is below the range from which Linux takes those
// (net.ipv4.ip_local_port_range, by default from 32768). A server may therefore start
// late, and restart.
//
// # When it fails
//
// Programs that do not use this package may still take the port between Take and the
// server's bind; a caller that has to survive that tries again with another port.
//
// # Who owns what
//
// A port is reserved by a UDP socket of the same number, which is never read and which
// ends with the process; there is nothing to close. The TCP port stays free.
package freeport
