package plutu

// The functions for amounts, for tests.
var (
	FormatAmount = formatAmount
	ParseAmount  = parseAmount
)

// Codes returns the error codes that the adapter knows.
func Codes() []string {
	names := make([]string, 0, len(codes))
	for name := range codes {
		names = append(names, name)
	}
	return names
}
