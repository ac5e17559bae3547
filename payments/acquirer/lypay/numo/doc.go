// Package numo reads and writes the text of NUMO QR codes, from which Libyan bank apps read
// the payee, the amount and the reference.
//
// # Promise
//
// The format is EMVCo's: fields of a tag of two digits, a length of two digits and a value.
// Unlike EMVCo's, tags 27 to 29, 31 and 51 hold plain values, so that only 30 and 62 are read
// as fields within a field. Lengths count characters, as banks do; a text whose lengths count
// bytes is read as well. Tag 30 may hold fields or a bank code alone.
//
// Two checksums are in use, and Parse accepts both: EMV covers everything up to the checksum
// itself, App only what is before its tag, with '?' for every character that is not ASCII.
// Apart from that, all readers read an ASCII text in the same way.
//
// # Failure
//
// Encode refuses what does not fit a field. Parse refuses a text of which one length, the
// checksum or the amount is wrong: a payer must not pay by a part of a code. No error repeats
// a value.
//
// # Ownership
//
// The package is a format only and holds no state. It checks all input.
package numo
