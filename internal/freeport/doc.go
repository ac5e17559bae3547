// Package freeport finds addresses on 127.0.0.1 for servers that another program
// is about to start.
//
// # What it promises
//
// Take gives an address whose port nothing listens on. Until the process that took
// it ends, no other Take on the machine gives the same, and the kernel does not draw
// it for an outgoing connection: it is below the range from which Linux takes those
// (net.ipv4.ip_local_port_range, 32768 up unless somebody changed it). A server may
// therefore come up late, go down and come back.
//
// # When it fails
//
// Programs that do not ask here may still take the port between Take and the
// server's bind; anyone who has to survive that tries again with another.
//
// # Who owns what
//
// A port is kept with a UDP socket of the same number, which nobody reads and which
// goes with the process; there is nothing to close. TCP's own port stays free.
package freeport
