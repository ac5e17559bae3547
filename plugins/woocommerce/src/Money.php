<?php

namespace Daftar\WooCommerce;

/** Amounts in dirhams, the thousandth part of a dinar, by arithmetic on text: a float would lose some. */
final class Money {
    public const CURRENCY = 'LYD';
    public const LEAST = 1000;
    public const MOST = 1000000000;
    /** Digits and the decimal sign of Arabic, and digits of Persian, which some shops write numbers with. */
    private const SIGNS = '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹٫';

    /**
     * Dirhams of a decimal number, or null for what is none or has more than three decimals that count.
     *
     * @param mixed $amount as WooCommerce has it: text or, here and there, a float
     */
    public static function parse($amount): ?int {
        $text = is_float($amount) ? number_format($amount, 3, '.', '') : trim((string) $amount);
        $signs = preg_split('//u', self::SIGNS, -1, PREG_SPLIT_NO_EMPTY);
        $text = str_replace($signs, str_split('01234567890123456789.'), $text);
        if (!preg_match('/^([0-9]{1,12})(?:\.([0-9]{0,3})0*)?$/D', $text, $parts)) {
            return null;
        }
        return (int) $parts[1] * 1000 + (int) str_pad($parts[2] ?? '', 3, '0');
    }

    public static function isPayable(?int $dirhams): bool {
        return $dirhams !== null && $dirhams >= self::LEAST && $dirhams <= self::MOST;
    }

    /** 1500 is "1.500". */
    public static function decimal(int $dirhams): string {
        return sprintf('%d.%03d', intdiv($dirhams, 1000), $dirhams % 1000);
    }

    /** "1.500 LYD", for notes and mails. */
    public static function text(int $dirhams): string {
        return self::decimal($dirhams) . ' ' . self::CURRENCY;
    }
}
