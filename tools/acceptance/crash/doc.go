// Package crash has tests only: the program is killed at each point of package failpoint and
// started again. Nothing may be lost or done twice.
package crash
