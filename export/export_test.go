package export

// InFlight is how many messages are sent before one must be acknowledged.
const InFlight = inFlight

// BatchLimit is how long a batch may take.
const BatchLimit = batchLimit
