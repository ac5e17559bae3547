// The script that a merchant's page loads. It shows the gateway's form in a frame over the
// page and hands what the form says to the callbacks of Lightbox.Checkout.configure. It asks
// of the page's Content-Security-Policy its own origin only: no inline style, no handler in
// an attribute, no eval.
(() => {
  "use strict";
  const origin = new URL(document.currentScript.src).origin;
  let overlay = null;
  let frame = null;

  const styles = document.createElement("link");
  styles.rel = "stylesheet";
  styles.href = `${origin}/js/lightbox.css`;
  document.head.append(styles);

  const call = (name, data) => {
    const callback = (window.Lightbox.Checkout.configure || {})[name];
    if (typeof callback === "function") callback(data);
  };

  const listen = (event) => {
    if (!frame || event.origin !== origin || event.source !== frame.contentWindow) return;
    const said = event.data || {};
    if (said.lightbox === "complete") call("completeCallback", said.data);
    if (said.lightbox === "error") call("errorCallback", said.data);
    if (said.lightbox === "close") window.Lightbox.Checkout.closeLightbox();
  };

  window.Lightbox = {
    Checkout: {
      configure: null,

      showLightbox() {
        if (overlay) return;
        const given = window.Lightbox.Checkout.configure || {};
        const form = new URL(`${origin}/form`);
        for (const name of ["MID", "TID", "AmountTrxn", "MerchantReference", "TrxDateTime", "SecureHash"]) {
          form.searchParams.set(name, String(given[name] ?? ""));
        }
        form.searchParams.set("page", window.location.origin);
        overlay = document.createElement("div");
        overlay.className = "moamalat-lightbox";
        frame = document.createElement("iframe");
        frame.className = "moamalat-lightbox-frame";
        frame.title = "Card payment";
        frame.src = form.href;
        overlay.append(frame);
        document.body.append(overlay);
        window.addEventListener("message", listen);
      },

      // As at the gateway, cancelCallback is called after a payment that succeeded, too.
      closeLightbox() {
        if (!overlay) return;
        window.removeEventListener("message", listen);
        overlay.remove();
        overlay = null;
        frame = null;
        call("cancelCallback");
      },
    },
  };
})();
