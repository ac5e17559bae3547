<?php

declare(strict_types=1);

// For projects without Composer: require this file. It does what composer.json tells Composer.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Daftar\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Daftar\\')), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
