<?php

namespace Daftar\WooCommerce;

/**
 * A lock per order, over all processes and machines of the shop: a row of the options table. It ends by
 * itself, so that a killed process keeps nobody out; who works on must ask isHeld before what counts.
 */
final class OrderLock {
    /** Longer than any request of Api, before each of which it is asked for again (isHeld). */
    private const SECONDS = 12;

    private string $name;
    private string $mine; // the value of our row

    private function __construct(string $name, string $mine) {
        $this->name = $name;
        $this->mine = $mine;
    }

    /** The lock, or null where another process has had it all the time. */
    public static function acquire(int $order, float $wait): ?self {
        $name = 'daftar_lock_' . $order;
        $token = bin2hex(random_bytes(8));
        $end = microtime(true) + $wait;
        do {
            $mine = (time() + self::SECONDS) . ' ' . $token;
            if (self::insert($name, $mine) || self::takeOver($name, $mine)) {
                return new self($name, $mine);
            }
            usleep(random_int(30000, 90000));
        } while (microtime(true) < $end);
        return null;
    }

    /** Whether it is still ours. If so it lasts for its whole time again. */
    public function isHeld(): bool {
        [, $token] = explode(' ', $this->mine);
        $next = (time() + self::SECONDS) . ' ' . $token;
        if ($next === $this->mine) {
            return self::value($this->name) === $this->mine;
        }
        if (!self::swap($this->name, $this->mine, $next)) {
            return false;
        }
        $this->mine = $next;
        return true;
    }

    public function release(): void {
        global $wpdb;
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name = %s AND option_value = %s",
            $this->name, $this->mine));
    }

    /** Past the option functions and their caches: of two processes one inserts the row. */
    private static function insert(string $name, string $value): bool {
        global $wpdb;
        return (int) $wpdb->query($wpdb->prepare("INSERT IGNORE INTO $wpdb->options (option_name,
            option_value, autoload) VALUES (%s, %s, 'no')", $name, $value)) === 1;
    }

    private static function takeOver(string $name, string $mine): bool {
        $theirs = self::value($name);
        return $theirs !== null && (int) $theirs < time() && self::swap($name, $theirs, $mine);
    }

    private static function value(string $name): ?string {
        global $wpdb;
        return $wpdb->get_var($wpdb->prepare("SELECT option_value FROM $wpdb->options WHERE option_name = %s",
            $name));
    }

    private static function swap(string $name, string $from, string $to): bool {
        global $wpdb;
        return (int) $wpdb->query($wpdb->prepare(
            "UPDATE $wpdb->options SET option_value = %s WHERE option_name = %s AND option_value = %s",
            $to,
            $name,
            $from
        )) === 1;
    }
}
