// Package numo reads and writes the text of NUMO QR codes, by which Libyan bank apps learn
// whom to pay, how much and under which reference.
//
// # Promise
//
// The format is EMVCo's: fields of a tag of two digits, a length of two digits and a value.
// Unlike EMVCo's, tags 27 to 29, 31 and 51 hold plain values, so that only 30 and 62 are read
// as fields within a field. Lengths count characters, as banks do; a text whose lengths count
// bytes is read as well. Tag 30 may hold fields or a bank code alone.
//
// Two checksums are in use, and Parse accepts both: EMV covers everything up to the checksum
// itself, App only what stands before its tag and takes '?' for every character that is not
// ASCII. What is written in ASCII is the same for all readers but for this.
//
// # Failure
//
// Encode refuses what does not fit a field. Parse refuses a text of which one length, the
// checksum or the amount is wrong: a payer must not pay by half of a code. No error repeats
// a value.
//
// # Ownership
//
// The package is a format and trusts nobody. It holds no state.
package numo
