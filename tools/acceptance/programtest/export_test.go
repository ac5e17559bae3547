package programtest

// Unexported names for the tests.
var (
	Build  = build
	Folder = folder
)
