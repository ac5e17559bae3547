// Package crash has tests only: the program is killed at each point of package
// failpoint, started again, and must have lost nothing and done nothing twice.
package crash
