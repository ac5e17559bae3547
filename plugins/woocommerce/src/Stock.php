<?php

namespace Daftar\WooCommerce;

/** Whether the goods of an order that had ended are still there. */
final class Stock {
    public static function covers(\WC_Order $order): bool {
        if ($order->get_data_store()->get_stock_reduced($order->get_id())) {
            return true; // they are still set aside
        }
        $needed = [];
        foreach ($order->get_items() as $item) {
            $product = $item instanceof \WC_Order_Item_Product ? $item->get_product() : null;
            if (!$product instanceof \WC_Product) {
                return false; // no longer sold
            }
            if (!$product->managing_stock()) {
                if (!$product->is_in_stock()) {
                    return false;
                }
                continue;
            }
            $id = $product->get_stock_managed_by_id();
            $needed[$id] = ($needed[$id] ?? 0) + $item->get_quantity();
            $keeper = $id === $product->get_id() ? $product : wc_get_product($id);
            $left = $keeper->get_stock_quantity() - wc_get_held_stock_quantity($keeper, $order->get_id());
            if (!$keeper->backorders_allowed() && $left < $needed[$id]) {
                return false;
            }
        }
        return true;
    }
}
