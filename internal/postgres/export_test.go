package postgres

// CheckSettings exposes the check of a server's settings.
func CheckSettings(version int, fsync, fullPageWrites, synchronousCommit string) error {
	return durability{version, fsync, fullPageWrites, synchronousCommit}.check()
}
