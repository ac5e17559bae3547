<?php

declare(strict_types=1);

// tally.php FILE: what the sample shop for PHP has done, in the shape of sampleTally.
$db = new PDO("sqlite:$argv[1]", options: [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_COLUMN]);
$db->exec('PRAGMA busy_timeout = 10000');
echo json_encode([
    'fulfilled' => $db->query('SELECT reference FROM fulfilments ORDER BY id')->fetchAll(),
    'canceled' => $db->query("SELECT reference FROM orders WHERE state = 'canceled'")->fetchAll(),
    'waiting' => (int) $db->query('SELECT count(*) FROM inbox WHERE dealt_at IS NULL')->fetchColumn(),
], JSON_THROW_ON_ERROR);
