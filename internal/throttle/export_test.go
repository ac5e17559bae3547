package throttle

// Len is how many buckets are kept.
func (k *Keyed[K]) Len() int { return len(k.young) + len(k.old) }
