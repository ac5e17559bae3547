<?php
// What a web server does in front of WordPress: files as they are, everything else to index.php.

$root = $_SERVER['DOCUMENT_ROOT'];
$path = urldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if (is_dir($root . $path)) {
    $path = rtrim($path, '/') . '/index.php';
}
if (is_file($root . $path) && substr($path, -4) !== '.php') {
    return false;
}
$script = is_file($root . $path) ? $path : '/index.php';
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $script;
$_SERVER['SCRIPT_FILENAME'] = $root . $script;
chdir(dirname($root . $script));
require $root . $script;
