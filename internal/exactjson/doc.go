// Package exactjson reads files of JSON that this program wrote, and nothing else.
//
// Decode takes a text only where the value it stands for would be written as that text,
// but for white space, the order of names and escapes. So every field is there, exactly
// once and under its exact name, no other one is, and each value has the one form that
// it is written in (of a time, the offset may be any). What is read leniently can be
// read in two ways: two programs that check one file would check two.
//
// It fails with what is wrong, in words for people. It keeps nothing.
package exactjson
