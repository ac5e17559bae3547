// The shop's pages, in Arabic and English.
import { products } from './orders.mjs';

const words = {
  ar: {
    title: 'متجر الميدان', buy: 'اشترِ الآن', other: 'English', order: 'الطلبية', again: 'أعد المحاولة', shop: 'إلى المتجر',
    open: 'لم يصلنا تأكيد الدفع بعد. تُحدَّث هذه الصفحة تلقائيًا.', pay: 'إلى صفحة الدفع',
    fulfilled: 'تم الدفع، وطلبيتك في طريقها إليك. شكرًا لك!', canceled: 'انتهت مهلة الدفع ولم يصلنا أي مبلغ، فأُلغيت الطلبية.',
    away: 'تعذّر الوصول إلى خدمة الدفع، ولم يُخصم منك أي مبلغ. أعد المحاولة بعد قليل.', missing: 'لا توجد صفحة بهذا العنوان.', currency: 'د.ل',
  },
  en: {
    title: 'Maydan Shop', buy: 'Buy now', other: 'العربية', order: 'Order', again: 'Try again', shop: 'To the shop',
    open: 'Your payment is not confirmed yet. This page updates by itself.', pay: 'Go to the payment page',
    fulfilled: 'Paid. Your order is on its way. Thank you!', canceled: 'The time to pay has run out and nothing was paid. The order is canceled.',
    away: 'The payment service cannot be reached, and you were not charged. Try again in a moment.', missing: 'There is no such page.', currency: 'LYD',
  },
};

/** @typedef {'ar' | 'en'} Language */

/** @param {unknown} text */
const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * 5000 is 5.000: dinars have three decimals.
 *
 * @param {number} amount
 * @param {Language} lang
 */
const price = (amount, lang) => `<bdi dir="ltr">${(amount / 1000).toFixed(3)}</bdi> ${words[lang].currency}`;

/**
 * @param {Language} lang
 * @param {string} body
 * @param {{ here?: string, reload?: boolean }} [options]
 */
function layout(lang, body, { here = '/', reload = false } = {}) {
  const w = words[lang];
  const other = lang === 'ar' ? `${here}?lang=en` : here;
  return `<!doctype html>
<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${reload ? '<meta http-equiv="refresh" content="3">' : ''}
<title>${w.title}</title>
<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding-inline:1rem}
article{border:1px solid #bbb;border-radius:.5rem;padding:1rem;margin-block:1rem}button{font:inherit;padding:.4rem 1.2rem}</style></head>
<body><header><a href="${escape(other)}" lang="${lang === 'ar' ? 'en' : 'ar'}">${w.other}</a><h1>${w.title}</h1></header>
<main>${body}</main></body>
</html>
`;
}

/**
 * The form carries the order's reference: sent twice, it is still one order.
 *
 * @param {Language} lang
 * @param {string} reference
 * @param {string} product
 * @param {string} label
 */
const form = (lang, reference, product, label) => `<form method="post" action="/orders">
<input type="hidden" name="reference" value="${escape(reference)}"><input type="hidden" name="product" value="${escape(product)}">
<input type="hidden" name="lang" value="${lang}"><button>${label}</button></form>`;

/**
 * @param {Language} lang
 * @param {() => string} newReference
 */
export const shopPage = (lang, newReference) => layout(lang, products.map((product) => `<article><h2>${product[lang]}</h2>
<p>${price(product.amount, lang)}</p>${form(lang, newReference(), product.id, words[lang].buy)}</article>`).join('\n'));

/**
 * @param {Language} lang
 * @param {import('./orders.mjs').Order} order
 */
export function orderPage(lang, order) {
  const w = words[lang];
  const pay = order.state === 'open' && order.checkout_url
    ? `<p><a href="${escape(order.checkout_url + (lang === 'en' ? '?lang=en' : ''))}">${w.pay}</a></p>` : '';
  return layout(lang, `<article data-state="${order.state}"><h2>${w.order} <bdi dir="ltr">${escape(order.reference)}</bdi></h2>
<p>${price(order.amount, lang)}</p><p>${w[order.state]}</p>${pay}</article><p><a href="/${lang === 'en' ? '?lang=en' : ''}">${w.shop}</a></p>`,
  { here: `/orders/${order.reference}`, reload: order.state === 'open' });
}

/**
 * @param {Language} lang
 * @param {import('./orders.mjs').Order} order
 */
export const awayPage = (lang, order) => layout(lang, `<p>${words[lang].away}</p>${form(lang, order.reference, order.product, words[lang].again)}`);

/** @param {Language} lang */
export const missingPage = (lang) => layout(lang, `<p>${words[lang].missing}</p>`);
