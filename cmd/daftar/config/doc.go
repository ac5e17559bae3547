// Package config reads the environment variables of daftar, for the server, the demo
// and the commands.
//
// Read checks all of it and names everything that is missing or wrong in one Error.
// Secrets may come from a file instead, by the variable with _FILE behind its name.
// Nothing is read but the environment that is passed and the files that it names.
package config
