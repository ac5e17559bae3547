package export

import "time"

// InFlight is how many messages are sent before one must be acknowledged.
const InFlight = inFlight

// CreateAfter is the pause before a missing stream is created.
const CreateAfter = createAfter

// SetBatchLimit changes how long a batch may take.
func (x *NATS) SetBatchLimit(limit time.Duration) { x.limit = limit }
