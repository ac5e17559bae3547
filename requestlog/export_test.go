package requestlog

const (
	PerFlush        = perFlush
	UnknownPerFlush = unknownPerFlush
	MaxWaiting      = maxWaiting
	TrimEvery       = trimEvery
)
