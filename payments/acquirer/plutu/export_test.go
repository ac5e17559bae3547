package plutu

// What the tests of the parsers look into.
var (
	FormatAmount = formatAmount
	ParseAmount  = parseAmount
)

// Codes are the error codes that the adapter knows.
func Codes() []string {
	names := make([]string, 0, len(codes))
	for name := range codes {
		names = append(names, name)
	}
	return names
}
