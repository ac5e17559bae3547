<?php

namespace Daftar\WooCommerce;

/** Another process works on the order: what was asked for is to be asked again. */
final class Busy extends \RuntimeException {
}
