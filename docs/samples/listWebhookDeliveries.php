<?php
// The SDKs leave this to daftar listen.
$context = stream_context_create(['http' => ['header' => [
    'X-API-Key: ' . getenv('DAFTAR_API_KEY'), 'Authorization: Bearer ' . getenv('DAFTAR_ACCESS_TOKEN'), 'Accept: application/json',
]]]);
$answer = file_get_contents(getenv('DAFTAR_API_URL') . "/webhook-deliveries?after=$argv[1]", false, $context);
foreach (json_decode($answer)->data as $webhook) {
    echo $webhook->type, "\n";
}
