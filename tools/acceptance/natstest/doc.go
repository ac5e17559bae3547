// Package natstest gives a test a separate NATS server: Debian's nats-server with JetStream, on a
// free port of this machine, with its files in the test's folder.
//
// A Server can be killed and started again on the same port and files. It ends with the test, and
// with the process that started it.
package natstest
