<?php
// Where the doubles of WooCommerce keep orders: a SQLite file, which the processes of a shop share.

class Store {
    public PDO $pdo;

    public function __construct(string $file) {
        $this->pdo = new PDO("sqlite:$file", null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
        $this->pdo->exec('PRAGMA busy_timeout = 20000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, data TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS paid (id INTEGER, at INTEGER);
            CREATE TABLE IF NOT EXISTS notes (id INTEGER, text TEXT);
            CREATE TABLE IF NOT EXISTS mails (recipient TEXT, text TEXT);
            CREATE TABLE IF NOT EXISTS actions (hook TEXT, args TEXT, at INTEGER, status TEXT DEFAULT "pending");');
    }

    /** One transaction that others wait for. */
    public function atomically(callable $run) {
        $this->pdo->exec('BEGIN IMMEDIATE');
        try {
            $result = $run($this->pdo);
            $this->pdo->exec('COMMIT');
            return $result;
        } catch (Throwable $e) {
            $this->pdo->exec('ROLLBACK');
            throw $e;
        }
    }

    public function rows(string $sql, array $values = []): array {
        $statement = $this->pdo->prepare($sql);
        $statement->execute($values);
        return $statement->fetchAll(PDO::FETCH_ASSOC);
    }
}
