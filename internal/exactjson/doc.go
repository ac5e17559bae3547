// Package exactjson reads files of JSON that this program wrote, and nothing else.
//
// Decode accepts a text only if its value, encoded again, gives the same text, except for
// white space, the order of names and escapes. So every field is there, exactly once and
// under its exact name, there is no other field, and each value has one form (of a time,
// any offset is accepted). A lenient reader would let two programs that check one file
// read two different values.
//
// Errors say in words for people what is wrong. The package keeps no state.
package exactjson
