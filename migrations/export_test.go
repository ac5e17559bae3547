package migrations

// The functions behind the public ones, over other files than the embedded.
var (
	UpFiles     = up
	StatusFiles = status
	CheckFiles  = check
	Files       = files
)

// Needed are the rights of a role.
var Needed = needed
