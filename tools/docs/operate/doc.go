// Command operate writes what operators look up from the code: docs/operate/variables.md from
// the declarations of package config, and docs/operate/commands.md from the commands of daftar
// and daftar-dev. go generate ./docs runs it in tools/docs.
package main
