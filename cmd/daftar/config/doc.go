// Package config reads the environment variables of daftar, for the server, the demo
// and the commands.
//
// Read checks all of it and names everything that is missing or wrong in one Error.
// A secret may come from a file instead, which the variable with _FILE at the end names.
// Nothing is read but the environment that is passed and the files that it names.
package config
