package config

import (
	"bytes"
	"fmt"

	"daftar/internal/web"
)

// minSecret is how many characters a secret must have that others could guess offline.
const minSecret = 16

// Warnings are settings that are right for trying things out and wrong where money is
// real, each with its cure. A server starts in spite of them.
func (c Config) Warnings() []string {
	var all []string
	warn := func(so bool, format string, args ...any) {
		if so {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	warn(c.weakKey,
		"DAFTAR_SECRET_KEY repeats itself, so it can be guessed: "+
			"draw one (openssl rand -hex 32) and replace this one (daftar rekey)")
	warn(c.SandboxSecret != "" && len(c.SandboxSecret) < minSecret,
		"DAFTAR_SANDBOX_SECRET is shorter than %d characters, so notifications can be forged: "+
			"draw one (openssl rand -hex 32)", minSecret)
	warn(!web.IsLocal("http://"+c.OpsListen),
		"DAFTAR_OPS_LISTEN is %s: metrics and profiles have no password; "+
			"listen on 127.0.0.1 or an address that only monitoring reaches", c.OpsListen)
	reachable := !web.IsLocal(c.PublicURL)
	warn(reachable && !web.IsHTTPS(c.PublicURL),
		"DAFTAR_PUBLIC_URL is %s: codes and passwords cross the network readably; "+
			"put a TLS proxy in front and give its https address", c.PublicURL)
	for _, v := range acquirerVariables() {
		address := c.Addresses[v.Name]
		warn(reachable && !v.Servers && address != "" && web.IsLocal(address),
			"%s is %s, and customers come to %s: a fake on this machine pays orders without money; unset it",
			v.Name, address, c.PublicURL)
	}
	warn(reachable && c.AllowPrivate,
		"DAFTAR_WEBHOOK_ALLOW_PRIVATE is true, and customers come to %s: "+
			"any merchant can have this server send requests into its own network; unset it", c.PublicURL)
	warn(c.ClockOffset != 0,
		"DAFTAR_CLOCK_OFFSET shifts the clock by %s: for the sandbox only; unset it", c.ClockOffset)
	return all
}

// repeats reports whether the bytes are a shorter text several times.
func repeats(b []byte) bool {
	for n := 1; n <= len(b)/2; n++ {
		if len(b)%n == 0 && bytes.Equal(b, bytes.Repeat(b[:n], len(b)/n)) {
			return true
		}
	}
	return false
}
