<?php
/**
 * Plugin Name: Daftar for WooCommerce
 * Description: Payments in Libyan dinars through Daftar: classic checkout and Blocks, refunds, test mode.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 7.9
 * WC tested up to: 11.0
 * Author: Daftar
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: daftar-for-woocommerce
 * Domain Path: /languages
 */

defined('ABSPATH') || exit;

define('DAFTAR_WC_VERSION', '0.1.0');
define('DAFTAR_WC_FILE', __FILE__);

require __DIR__ . '/src/autoload.php';

add_action('before_woocommerce_init', [Daftar\WooCommerce\Plugin::class, 'declare']);
add_action('plugins_loaded', [Daftar\WooCommerce\Plugin::class, 'start']);
register_deactivation_hook(__FILE__, [Daftar\WooCommerce\Schedule::class, 'stop']);
