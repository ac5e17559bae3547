"""The shop's pages, in Arabic and English."""

import secrets
from html import escape

from orders import PRODUCTS, Order

WORDS = {
    "ar": {
        "title": "متجر الميدان", "buy": "اشترِ الآن", "other": "English", "order": "الطلبية",
        "again": "أعد المحاولة", "shop": "إلى المتجر", "pay": "إلى صفحة الدفع", "currency": "د.ل",
        "open": "لم يصلنا تأكيد الدفع بعد. تُحدَّث هذه الصفحة تلقائيًا.",
        "fulfilled": "تم الدفع، وطلبيتك في طريقها إليك. شكرًا لك!",
        "canceled": "انتهت مهلة الدفع ولم يصلنا أي مبلغ، فأُلغيت الطلبية.",
        "away": "تعذّر الوصول إلى خدمة الدفع، ولم يُخصم منك أي مبلغ. أعد المحاولة بعد قليل.",
        "missing": "لا توجد صفحة بهذا العنوان.",
    },
    "en": {
        "title": "Maydan Shop", "buy": "Buy now", "other": "العربية", "order": "Order",
        "again": "Try again", "shop": "To the shop", "pay": "Go to the payment page", "currency": "LYD",
        "open": "Your payment is not confirmed yet. This page updates by itself.",
        "fulfilled": "Paid. Your order is on its way. Thank you!",
        "canceled": "The time to pay has run out and nothing was paid. The order is canceled.",
        "away": "The payment service cannot be reached, and you were not charged. Try again in a moment.",
        "missing": "There is no such page.",
    },
}  # fmt: skip


def price(amount: int, lang: str) -> str:
    """5000 is 5.000: dinars have three decimals."""
    return f'<bdi dir="ltr">{amount // 1000:,}.{amount % 1000:03}</bdi> {WORDS[lang]["currency"]}'


def layout(lang: str, body: str, here: str = "/", reload: bool = False) -> str:
    w = WORDS[lang]
    way, other_lang, other = ("rtl", "en", f"{here}?lang=en") if lang == "ar" else ("ltr", "ar", here)
    refresh = '<meta http-equiv="refresh" content="3">' if reload else ""
    return f"""<!doctype html>
<html lang="{lang}" dir="{way}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">{refresh}
<title>{w["title"]}</title>
<style>body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding-inline:1rem}}
article{{border:1px solid #bbb;border-radius:.5rem;padding:1rem;margin-block:1rem}}
button{{font:inherit;padding:.4rem 1.2rem}}</style></head>
<body><header><a href="{escape(other)}" lang="{other_lang}">{w["other"]}</a><h1>{w["title"]}</h1></header>
<main>{body}</main></body>
</html>
"""


def form(lang: str, reference: str, product: str, label: str) -> str:
    """The form carries the order's reference: sent twice, it is still one order."""
    return (
        '<form method="post" action="/orders">\n'
        f'<input type="hidden" name="reference" value="{escape(reference)}">'
        f'<input type="hidden" name="product" value="{escape(product)}">\n'
        f'<input type="hidden" name="lang" value="{lang}"><button>{label}</button></form>'
    )


def shop_page(lang: str) -> str:
    articles = []
    for name, product in PRODUCTS.items():
        buy = form(lang, f"order-{secrets.token_hex(16)}", name, WORDS[lang]["buy"])
        articles.append(
            f"<article><h2>{product.names[lang]}</h2><p>{price(product.amount, lang)}</p>{buy}</article>"
        )
    return layout(lang, "\n".join(articles))


def order_page(lang: str, order: Order) -> str:
    w = WORDS[lang]
    query = "?lang=en" if lang == "en" else ""
    pay = ""
    if order.state == "open" and order.checkout_url is not None:
        pay = f'<p><a href="{escape(order.checkout_url + query)}">{w["pay"]}</a></p>'
    body = f"""<article data-state="{order.state}">
<h2>{w["order"]} <bdi dir="ltr">{order.reference}</bdi></h2>
<p>{price(order.amount, lang)}</p><p>{w[order.state]}</p>{pay}</article>
<p><a href="/{query}">{w["shop"]}</a></p>"""
    return layout(lang, body, f"/orders/{order.reference}", order.state == "open")


def away_page(lang: str, order: Order) -> str:
    again = form(lang, order.reference, order.product, WORDS[lang]["again"])
    return layout(lang, f"<p>{WORDS[lang]['away']}</p>{again}")


def missing_page(lang: str) -> str:
    return layout(lang, f"<p>{WORDS[lang]['missing']}</p>")
