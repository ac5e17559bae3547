// Package output prints the answers of commands: JSON for programs, text for people.
//
// An answer is a struct. Its json tags name the fields for programs; these tags lay
// them out for people:
//
//	label:"state"  the name before a value, or the heading of a column in a list of
//	               structs; an empty label prints the value alone
//	below:"note"   in a list, a separate line under the row; left out where empty
//	width:"24"     the least width of a column
//	none:"row"     what is shown for an empty value, instead of a hyphen
//	style:"dim"    bold, dim, event, old or new, on a terminal that shows colours
//
// A list of texts is one value, with commas between them. A field without a label is for
// programs only; one with json:"-" for people only.
//
// # What it promises
//
// No text can control a terminal. Control characters, and those that change the direction
// of the text after them, are printed as escapes such as \x1b and \u202e; in JSON they are
// JSON's escapes, so that programs read the exact value. Arabic text is printed as it is. A
// line break in a value does not begin a new line.
//
// The error of Answer, Named and Row is the writer's. The writers are the caller's to close.
package output
