package primary

// HasSilentHost reports whether a host did not answer its last probe in time.
func (p *Primary) HasSilentHost() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.hosts {
		if !h.silentSince.IsZero() {
			return true
		}
	}
	return false
}
