package pgtest

// Held reports whether the proxy keeps anything back.
func (p *ProxyServer) Held() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held > 0
}
