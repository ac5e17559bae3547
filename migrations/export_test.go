package migrations

// The functions below the exported ones, for other files than the embedded ones.
var (
	UpFiles     = up
	StatusFiles = status
	CheckFiles  = check
)

// Needed are the rights of a role.
var Needed = needed
