<?php

namespace Daftar\WooCommerce;

/** Why an order cannot be paid now; its message is for the customer. */
final class CheckoutError extends \RuntimeException {
}
