// Package bookstest makes random histories of an organisation's books for tests: payments in time, late
// and twice, refunds, settlements and their corrections, decided as the product decides them. A history
// of the same seed is the same. What cannot be decided or stored is a fault of the test, and panics.
// Nothing is shared between histories.
package bookstest
