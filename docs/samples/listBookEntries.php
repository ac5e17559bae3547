<?php
// The SDKs are for shops, not for accountants' software.
$context = stream_context_create(['http' => ['header' => [
    'X-API-Key: ' . getenv('DAFTAR_API_KEY'), 'Authorization: Bearer ' . getenv('DAFTAR_ACCESS_TOKEN'), 'Accept: application/json',
]]]);
$answer = file_get_contents(getenv('DAFTAR_API_URL') . '/books/journal?limit=1000', false, $context);
foreach (json_decode($answer)->data as $entry) {
    foreach ($entry->lines as $line) {
        echo "$entry->kind $line->account $line->amount\n";
    }
}
