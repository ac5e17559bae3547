<?php

namespace Daftar\WooCommerce;

/** Amounts in dirhams, the thousandth part of a dinar, by arithmetic on text: a float would lose some. */
final class Money {
    public const CURRENCY = 'LYD';
    public const LEAST = 1000;
    public const MOST = 1000000000;

    /** Dirhams of a decimal number, or null for what is none or has more than three decimals that count. */
    public static function parse(string $decimal): ?int {
        $decimal = strtr(trim($decimal), self::digits());
        if (!preg_match('/^([0-9]{1,12})(?:\.([0-9]*))?$/D', $decimal, $parts)) {
            return null;
        }
        $fraction = rtrim($parts[2] ?? '', '0');
        if (strlen($fraction) > 3) {
            return null;
        }
        return (int) $parts[1] * 1000 + (int) str_pad($fraction, 3, '0');
    }

    /** Of what WooCommerce gives as text or, here and there, as a float. @param mixed $amount */
    public static function of($amount): ?int {
        return self::parse(is_float($amount) ? number_format($amount, 3, '.', '') : (string) $amount);
    }

    /** 1500 is "1.500". */
    public static function decimal(int $dirhams): string {
        return sprintf('%d.%03d', intdiv($dirhams, 1000), $dirhams % 1000);
    }

    /** "1.500 LYD", for notes and mails. */
    public static function text(int $dirhams): string {
        return self::decimal($dirhams) . ' ' . self::CURRENCY;
    }

    /** Digits and the decimal sign of Arabic and Persian, which some shops write numbers with. */
    private static function digits(): array {
        $map = ['٫' => '.'];
        foreach (['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'] as $digits) {
            foreach (str_split($digits, 2) as $value => $digit) {
                $map[$digit] = (string) $value;
            }
        }
        return $map;
    }
}
