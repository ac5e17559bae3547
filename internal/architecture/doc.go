// Package architecture has no code. Its tests check every package of the product and
// of its tools: which of our packages each may import, what the domain may not touch,
// how long a file may be, and which names a folder may not have. A new package fails
// them until it has a row in the table, and a new tool until the Makefile names its
// module.
package architecture
