<?php
// Runs the tests, each with an empty shop: php tests/run.php [PART OF A NAME]. Any notice of PHP is a failure.

require __DIR__ . '/doubles/wordpress.php';
require __DIR__ . '/doubles/woocommerce.php';
require __DIR__ . '/FakeDaftar.php';
define('DAFTAR_WC_VERSION', 'test');
define('DAFTAR_WC_FILE', dirname(__DIR__) . '/daftar-for-woocommerce.php');
require dirname(__DIR__) . '/src/autoload.php';
require __DIR__ . '/TestCase.php';

$failed = 0;
$ran = 0;
foreach (glob(__DIR__ . '/*Test.php') as $file) {
    require $file;
    $class = basename($file, '.php');
    foreach (get_class_methods($class) as $method) {
        if (strncmp($method, 'test', 4) !== 0 || (isset($argv[1]) && stripos("$class::$method", $argv[1]) === false)) {
            continue;
        }
        $ran++;
        $test = new $class();
        try {
            $test->setUp();
            $test->$method();
        } catch (Throwable $e) {
            $failed++;
            $at = $e instanceof Failure ? $e->getTrace()[0] : ['file' => $e->getFile(), 'line' => $e->getLine()];
            printf("FAIL %s::%s %s:%d\n%s\n", $class, $method, basename($at['file'] ?? ''), $at['line'] ?? 0,
                $e->getMessage());
        }
    }
}
echo "THE REAL WOOCOMMERCE WAS NOT THERE: these tests ran against doubles of it (tests/doubles). TESTED.md says "
    . "which real versions were tried.\n";
printf("%d tests, %d failed\n", $ran, $failed);
exit($failed > 0 || $ran === 0 ? 1 : 0);
