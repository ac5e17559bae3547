<?php

declare(strict_types=1);

// What tests and the shop begin with: Debian's Laravel or that of LARAVEL, the vendor/autoload.php of another
// application; the SDK; this package. What PHP complains about is an exception, in Laravel's own code, too.
error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false; // silenced by @
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});
require getenv('LARAVEL') ?: 'Illuminate/autoload.php';
require __DIR__ . '/../../../sdk/php/autoload.php';
spl_autoload_register(static function (string $class): void {
    $folders = ['Daftar\\Laravel\\Tests\\' => __DIR__ . '/', 'Daftar\\Laravel\\' => __DIR__ . '/../src/'];
    foreach ($folders as $prefix => $folder) {
        $file = $folder . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
            return;
        }
    }
});
