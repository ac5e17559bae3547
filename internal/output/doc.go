// Package output prints the answers of commands: JSON for programs, text for people.
//
// An answer is a struct. Its json tags name the fields for programs; these tags lay
// them out for people:
//
//	label:"state"  the name before a value, or the heading of a column in a list of
//	               structs; an empty label prints the value alone
//	below:"note"   in a list, a line of its own under the row; left out where empty
//	width:"24"     the least width of a column
//	none:"row"     what a column shows for an empty value, instead of a hyphen
//	style:"dim"    bold, dim, event, old or new, on a terminal that shows colours
//
// A field without a label is for programs only; one with json:"-" for people only.
//
// # What it promises
//
// No text reaches a terminal with power over it. Control characters, and those that
// turn the direction of what follows, are printed as escapes such as \x1b and \u202e;
// JSON has them as escapes of its own, so that programs read the exact value. Arabic
// text is printed as it is. A line break in a value cannot begin a line of its own.
//
// The error of Answer, Named and Row is the writer's. The writers are the caller's to close.
package output
