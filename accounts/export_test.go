package accounts

// Random credentials that no application has.
var (
	NewAPIKey = newAPIKey
	NewToken  = newToken
)
