package postgres

// Judge exposes the verdict on a server's settings.
func Judge(version int, fsync, fullPageWrites, synchronousCommit string) error {
	return durability{version, fsync, fullPageWrites, synchronousCommit}.judge()
}
