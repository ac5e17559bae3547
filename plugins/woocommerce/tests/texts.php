<?php
// The texts of the plugin, out of each call of say(): php tests/texts.php writes languages/*.pot, brings ar.po up
// to date (what is new has no translation yet) and makes ar.mo; with --check it only compares.

$dir = dirname(__DIR__);
$name = "$dir/languages/daftar-for-woocommerce";

/** @return string[] the texts in the order of the files */
function texts(string $dir): array {
    $texts = [];
    foreach (glob("$dir/src/*.php") as $file) {
        $tokens = array_values(array_filter(token_get_all(file_get_contents($file)), static function ($token): bool {
            return !is_array($token) || $token[0] !== T_WHITESPACE;
        }));
        foreach ($tokens as $n => $token) {
            if (!is_array($token) || $token[1] !== 'say' || $tokens[$n + 1] !== '('
                || !is_array($tokens[$n + 2]) || $tokens[$n + 2][0] !== T_CONSTANT_ENCAPSED_STRING) {
                continue;
            }
            $text = '';
            for ($m = $n + 2; ; $m += 2) {
                $text .= strtr(substr($tokens[$m][1], 1, -1), ["\\'" => "'"]);
                if ($tokens[$m + 1] !== '.') {
                    break;
                }
            }
            $texts[$text] = $text;
        }
    }
    return array_values($texts);
}

function po(array $texts, array $known): string {
    $quote = static function (string $text): string {
        return '"' . addcslashes($text, "\"\\") . '"';
    };
    $po = "msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: Daftar for WooCommerce\\n\"\n\"Language: ar\\n\"\n"
        . "\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
        . "\"Content-Transfer-Encoding: 8bit\\n\"\n";
    foreach ($texts as $text) {
        $po .= "\nmsgid " . $quote($text) . "\nmsgstr " . $quote($known[$text] ?? '') . "\n";
    }
    return $po;
}

function translations(string $po): array {
    preg_match_all('/^msgid "(.+)"\nmsgstr "(.*)"$/m', $po, $found, PREG_SET_ORDER);
    $known = [];
    foreach ($found as $one) {
        $known[stripslashes($one[1])] = stripslashes($one[2]);
    }
    return $known;
}

/** The format that WordPress reads: sorted originals, sorted translations, their lengths and places. */
function mo(array $known): string {
    $known = ['' => "Language: ar\nContent-Type: text/plain; charset=UTF-8\n"] + array_filter($known);
    ksort($known, SORT_STRING);
    $count = count($known);
    $at = 28 + $count * 16;
    $tables = ['', ''];
    $data = '';
    foreach ([array_keys($known), array_values($known)] as $n => $list) {
        foreach ($list as $text) {
            $tables[$n] .= pack('VV', strlen($text), $at + strlen($data));
            $data .= "$text\0";
        }
    }
    return pack('V7', 0x950412de, 0, $count, 28, 28 + $count * 8, 0, $at) . $tables[0] . $tables[1] . $data;
}

$texts = texts($dir);
$known = translations(is_file("$name-ar.po") ? file_get_contents("$name-ar.po") : '');
$files = ['.pot' => po($texts, []), '-ar.po' => po($texts, $known), '-ar.mo' => mo(array_intersect_key($known, array_flip($texts)))];
$wrong = array_map(static function (string $text): string {
    return "not in Arabic: $text";
}, array_filter($texts, static function (string $text) use ($known): bool {
    return ($known[$text] ?? '') === '';
}));
foreach ($texts as $text) {
    preg_match_all('/%(?:\d\$)?[sd]/', $text, $of);
    preg_match_all('/%(?:\d\$)?[sd]/', $known[$text] ?? '', $in);
    sort($of[0]);
    sort($in[0]);
    if ($of !== $in) {
        $wrong[] = "other places for values in Arabic: $text";
    }
}
foreach ($files as $end => $content) {
    if (($argv[1] ?? '') !== '--check') {
        file_put_contents($name . $end, $content);
    } elseif (!is_file($name . $end) || file_get_contents($name . $end) !== $content) {
        $wrong[] = basename($name . $end) . ' is out of date: run tests/texts.php';
    }
}
echo implode("\n", $wrong), "\n";
exit($wrong === [] ? 0 : 1);
