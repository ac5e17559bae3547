// Package browsertest gives tests a real browser: one Chromium per test process, and for each
// visitor a tab that shares nothing with the others.
//
// A package that needs it wraps its TestMain, so that the browser ends with the tests:
//
//	func TestMain(m *testing.M) { os.Exit(browsertest.Around(m).Run()) }
//
// # Promise
//
// A tab watches the page. At the end of its test it fails the test for every warning or error on
// the console, every uncaught exception, every violation of the content security policy, every
// dialog, every failed request, and every request to a host that the test did not name. A page may
// answer with an error status, which Page reports.
//
// Tab.Axe checks a page against all rules of axe-core, a third-party accessibility checker.
// Tab.Screenshot saves what a visitor saw, in var/pages or the folder in DAFTAR_PAGES, and
// Tab.Picture returns it.
//
// # Failure
//
// Without Chromium or axe-core the tests fail; they are never skipped. `make deps` installs both. A
// step that a page does not complete within a minute fails the test.
//
// # Ownership
//
// A tab belongs to the test that opened it, and must not be used by two goroutines.
package browsertest
