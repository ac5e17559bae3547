<?php
// Doubles of what the plugin uses of WordPress, and of nothing else. What is stored is in SQLite, so that
// processes share it as they share the database of a shop.

define('ABSPATH', __DIR__);

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $text, string $file, int $line): bool {
    throw new ErrorException($text, 0, $level, $file, $line);
});

require __DIR__ . '/store.php';

/** With the orders in the same file, as in a shop. */
final class wpdb extends Store {
    public string $options = 'options';
    public string $postmeta = 'postmeta';
    public string $prefix = '';

    public function __construct(string $file) {
        parent::__construct($file);
        $this->pdo->exec('CREATE TABLE IF NOT EXISTS options (option_name TEXT PRIMARY KEY, option_value TEXT,
            autoload TEXT)');
    }

    public function prepare(string $sql, ...$values): string {
        return vsprintf(str_replace(['%s', '%d'], ['%s', '%d'], $sql), array_map(function ($value) {
            return is_int($value) ? $value : $this->pdo->quote((string) $value);
        }, $values));
    }

    public function query(string $sql): int {
        return $this->pdo->exec(str_replace('INSERT IGNORE', 'INSERT OR IGNORE', $sql));
    }

    public function get_var(string $sql): ?string {
        $value = $this->pdo->query($sql)->fetchColumn();
        return $value === false ? null : (string) $value;
    }
}

$GLOBALS['wpdb'] = $GLOBALS['store'] = new wpdb(getenv('SHOP_DATABASE') ?: ':memory:');
$GLOBALS['hooks'] = [];
$GLOBALS['locale'] = 'ar';
$GLOBALS['http'] = null;
$GLOBALS['log'] = [];
$GLOBALS['notices'] = [];

final class WP_Error {
    private string $code;
    private string $message;

    public function __construct(string $code, string $message) {
        $this->code = $code;
        $this->message = $message;
    }

    public function get_error_message(): string {
        return $this->message;
    }
}

function is_wp_error($thing): bool {
    return $thing instanceof WP_Error;
}

function add_filter(string $hook, callable $run, int $priority = 10, int $count = 1): void {
    $GLOBALS['hooks'][$hook][] = [$run, $count];
}

function add_action(string $hook, callable $run, int $priority = 10, int $count = 1): void {
    add_filter($hook, $run, $priority, $count);
}

function remove_filter(string $hook, callable $run, int $priority = 10): void {
    $GLOBALS['hooks'][$hook] = array_filter($GLOBALS['hooks'][$hook] ?? [], static function (array $one) use ($run) {
        return $one[0] !== $run;
    });
}

function remove_action(string $hook, callable $run): void {
    remove_filter($hook, $run);
}

function apply_filters(string $hook, $value, ...$more) {
    foreach ($GLOBALS['hooks'][$hook] ?? [] as [$run, $count]) {
        $value = $run(...array_slice(array_merge([$value], $more), 0, $count));
    }
    return $value;
}

function do_action(string $hook, ...$values): void {
    foreach ($GLOBALS['hooks'][$hook] ?? [] as [$run, $count]) {
        $run(...array_slice($values, 0, $count));
    }
}

function __return_false(): bool {
    return false;
}

function get_option(string $name, $default = false) {
    global $wpdb;
    $value = $wpdb->get_var($wpdb->prepare('SELECT option_value FROM options WHERE option_name = %s', $name));
    return $value === null ? $default : json_decode($value, true);
}

function update_option(string $name, $value, $autoload = null): void {
    $value = apply_filters("pre_update_option_$name", $value, get_option($name));
    $GLOBALS['wpdb']->rows('INSERT OR REPLACE INTO options VALUES (?, ?, "no")', [$name, json_encode($value)]);
}

function delete_option(string $name): void {
    $GLOBALS['wpdb']->rows('DELETE FROM options WHERE option_name = ?', [$name]);
}

function __(string $text, string $domain): string {
    return $text;
}

function determine_locale(): string {
    return $GLOBALS['locale'];
}

function get_bloginfo(string $what, string $filter): string {
    return 'مشتل &amp; مقهى';
}

function home_url(string $path): string {
    return 'https://shop.example' . $path;
}

function add_query_arg($name, $value, ?string $url = null): string {
    [$pairs, $url] = is_array($name) ? [$name, $value] : [[$name => $value], $url];
    foreach ($pairs as $key => $one) {
        $url .= (strpos($url, '?') === false ? '?' : '&') . "$key=$one";
    }
    return $url;
}

function current_user_can(string $what): bool {
    return true;
}

function wp_is_uuid($uuid): bool {
    return is_string($uuid) && preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/', $uuid) === 1;
}

function admin_url(string $path): string {
    return home_url("/wp-admin/$path");
}

function wp_nonce_url(string $url, string $action, string $name): string {
    return esc_html("$url&$name=" . wp_hash($action));
}

function wp_verify_nonce(string $nonce, string $action): bool {
    return $nonce === wp_hash($action);
}

function wp_date(string $format, int $at): string {
    return gmdate('Y-m-d H:i', $at);
}

function wp_hash(string $text): string {
    return hash_hmac('sha256', $text, 'salt of the site');
}

function wp_specialchars_decode(string $text, int $quotes): string {
    return htmlspecialchars_decode($text, $quotes);
}

function wp_json_encode($value): string {
    return json_encode($value);
}

function wp_unslash($value) {
    return is_string($value) ? stripslashes($value) : $value;
}

function wp_parse_url(string $url, int $part = -1) {
    return parse_url($url, $part);
}

/** As WordPress does: entities that are there stay as they are. */
function esc_html(string $text): string {
    return htmlspecialchars($text, ENT_QUOTES, 'UTF-8', false);
}

function esc_attr(string $text): string {
    return esc_html($text);
}

function esc_url(string $url): string {
    return esc_html($url);
}

function esc_url_raw(string $url): string {
    return $url;
}

function wp_kses_post(string $html): string {
    return $html;
}

function absint($value): int {
    return abs((int) $value);
}

function sanitize_key($key): string {
    return is_scalar($key) ? preg_replace('/[^a-z0-9_\-]/', '', strtolower($key)) : '';
}

function clean_post_cache(int $id): void {
}

function status_header(int $status): void {
    http_response_code($status);
}

function nocache_headers(): void {
    header('Cache-Control: no-cache, must-revalidate, max-age=0, no-store, private');
}

function wp_safe_redirect(string $to, int $status): void {
    header("Location: $to", true, $status);
}

/** By the function in $GLOBALS['http'], or over the network. */
function wp_remote_request(string $url, array $arguments) {
    if ($GLOBALS['http'] !== null) {
        return ($GLOBALS['http'])($url, $arguments);
    }
    $lines = [];
    foreach ($arguments['headers'] as $name => $value) {
        $lines[] = "$name: $value";
    }
    $headers = [];
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_CUSTOMREQUEST => $arguments['method'], CURLOPT_HTTPHEADER => $lines,
        CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT_MS => (int) ($arguments['timeout'] * 1000),
        CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$headers): int {
            $parts = explode(':', $line, 2);
            $headers[strtolower($parts[0])] = trim($parts[1] ?? '');
            return strlen($line);
        }]);
    if ($arguments['method'] === 'POST') {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $arguments['body'] ?? '');
    }
    $body = curl_exec($curl);
    return !is_string($body) ? new WP_Error('http', curl_error($curl))
        : ['status' => curl_getinfo($curl, CURLINFO_RESPONSE_CODE), 'body' => $body, 'headers' => $headers];
}

function wp_remote_retrieve_response_code(array $answer): int {
    return $answer['status'];
}

function wp_remote_retrieve_body(array $answer): string {
    return $answer['body'];
}

function wp_remote_retrieve_header(array $answer, string $name): string {
    return $answer['headers'][$name] ?? '';
}

function get_query_var(string $name): string {
    return '';
}
