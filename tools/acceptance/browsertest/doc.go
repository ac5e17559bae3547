// Package browsertest gives tests a real browser: one Chromium for the test
// process, and for each visitor a tab that shares nothing with the others.
//
// A package whose tests need it wraps its TestMain, so that the browser ends with
// the tests:
//
//	func TestMain(m *testing.M) { os.Exit(browsertest.Around(m).Run()) }
//
// # Promise
//
// A tab watches what the page does. At the end of its test it fails the test for
// every warning or error on the console, every uncaught exception, every breach of
// the content security policy, every dialog, every request that failed, and every
// request to a host that the test did not name. A page may answer with an error
// status: Page has it.
//
// Tab.Axe holds a page against all rules of axe-core, an accessibility checker
// that nobody here wrote; Tab.Screenshot keeps what a visitor saw, in var/pages or
// the folder that DAFTAR_PAGES names, and Tab.Picture returns it.
//
// # Failure
//
// A machine without Chromium or without axe-core fails the tests, they are never
// skipped: `make deps` installs both. What a page has not done within a minute
// fails the test.
//
// # Ownership
//
// A tab belongs to the test that opened it, and is not for use by two goroutines.
package browsertest
