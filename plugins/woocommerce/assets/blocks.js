// The payment method in the Checkout block. Plain JavaScript: no build step. All words come from the server.
(function (registry, settings, element, entities) {
  'use strict';

  var data = settings.getSetting('daftar_data', {});
  var title = entities.decodeEntities(data.title);
  var text = element.createElement('div', null, entities.decodeEntities(data.description));

  registry.registerPaymentMethod({
    name: 'daftar',
    label: element.createElement('span', null, title),
    ariaLabel: title,
    content: text,
    edit: text,
    // The total is in the smallest unit that the shop shows: with no decimals 5 is 5 dinars.
    canMakePayment: function (order) {
      var totals = order.cartTotals;
      var dirhams = Number(totals.total_price) * Math.pow(10, 3 - totals.currency_minor_unit);
      return totals.currency_code === 'LYD' && dirhams >= data.least && dirhams <= data.most;
    },
    supports: { features: data.supports },
  });
})(window.wc.wcBlocksRegistry, window.wc.wcSettings, window.wp.element, window.wp.htmlEntities);
