package programtest

// What the tests look at beside the exported names.
var (
	Build  = build
	Folder = folder
)
