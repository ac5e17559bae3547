package requestlog

// What the tests look at beside the exported names.
const (
	PerFlush        = perFlush
	UnknownPerFlush = unknownPerFlush
	MaxWaiting      = maxWaiting
	TrimEvery       = trimEvery
)
