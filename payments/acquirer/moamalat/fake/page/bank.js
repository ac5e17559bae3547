// The bank of the cardholder, on a separate host: in the frame it opens a window, and in the window
// it reports back to the frame, which goes back to the gateway's form.
(() => {
  "use strict";
  const find = (id) => document.getElementById(id);
  if (window.location.pathname === "/bank/window") {
    find("confirm").hidden = true;
    find("lost").hidden = window.opener !== null;
    if (window.opener) {
      window.opener.postMessage("confirmed", window.location.origin);
      window.close();
    }
    return;
  }
  find("confirm").addEventListener("click", () => window.open("/bank/window", "_blank", "popup"), { once: true });
  window.addEventListener("message", (event) => {
    if (event.origin !== window.location.origin || event.data !== "confirmed") return;
    const form = new URL(`/form${window.location.search}&confirmed=1`, window.location);
    if (form.hostname === "localhost") form.hostname = "127.0.0.1";
    window.location.assign(form);
  });
})();
