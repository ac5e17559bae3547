<?php

namespace Daftar\WooCommerce;

/**
 * A lock per order, over all processes and machines of the shop: a row of the options table, past the option
 * functions and their caches. It ends by itself, so that a killed process keeps nobody out.
 */
final class OrderLock {
    /** After Payments has asked Daftar: for the last answer, and for what then has to be written. */
    private const MORE = 10;
    private const LEAST_LEFT = 5;

    private string $name;
    private string $mine = ''; // the value of our row: when it ends, and a token

    /** @throws Busy where another process has had it for as long as we wait. Daftar is asked for $seconds. */
    public static function acquire(int $order, float $wait, float $seconds): self {
        $lock = new self();
        $lock->name = 'daftar_wc_lock_' . $order;
        $end = microtime(true) + $wait;
        while (!$lock->take($seconds + self::MORE)) {
            if (microtime(true) >= $end) {
                throw new Busy();
            }
            usleep(random_int(30000, 90000));
        }
        return $lock;
    }

    /** Of two processes one inserts the row, or replaces one that has ended: that sorts before now. */
    private function take(float $seconds): bool {
        global $wpdb;
        $this->mine = (int) (time() + $seconds) . ' ' . bin2hex(random_bytes(8));
        $insert = "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload)
            VALUES (%s, %s, 'no')";
        $replace = "UPDATE $wpdb->options SET option_value = %s WHERE option_name = %s AND option_value < %s";
        return (int) $wpdb->query($wpdb->prepare($insert, $this->name, $this->mine)) === 1
            || (int) $wpdb->query($wpdb->prepare($replace, $this->mine, $this->name, (string) time())) === 1;
    }

    /** Whether it is ours, and stays so for long enough to write what it protects. */
    public function isHeld(): bool {
        global $wpdb;
        $select = "SELECT option_value FROM $wpdb->options WHERE option_name = %s";
        return $wpdb->get_var($wpdb->prepare($select, $this->name)) === $this->mine
            && (int) $this->mine >= time() + self::LEAST_LEFT;
    }

    public function release(): void {
        global $wpdb;
        $delete = "DELETE FROM $wpdb->options WHERE option_name = %s AND option_value = %s";
        $wpdb->query($wpdb->prepare($delete, $this->name, $this->mine));
    }
}
