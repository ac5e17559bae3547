// The form in the frame. What the gateway answers goes to the page that shows the frame, and
// to no other.
(() => {
  "use strict";
  const given = new URLSearchParams(window.location.search);
  const page = given.get("page") || "null";
  const configuration = {};
  for (const name of ["MID", "TID", "AmountTrxn", "MerchantReference", "TrxDateTime", "SecureHash"]) {
    configuration[name] = given.get(name) || "";
  }
  const find = (id) => document.getElementById(id);
  const texts = {
    open: "",
    wrong: "The code is wrong. Try again.",
    refused: "The payment was refused. You can try another card.",
    paid: "Paid.",
    silent: "The gateway did not answer.",
  };

  const tell = (lightbox, data) => window.parent.postMessage({ lightbox, data }, page);

  const show = (state) => {
    find("status").textContent = texts[state] || "";
    find("form").dataset.state = state;
    if (state === "paid") {
      for (const control of find("form").elements) control.disabled = true;
    }
  };

  const send = async (action) => {
    const body = { ...configuration, action, card: find("card").value.replaceAll(" ", ""), code: find("code").value };
    let said;
    try {
      const answer = await fetch("/form", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      });
      said = await answer.json();
    } catch {
      said = { callback: "error", show: "silent", data: { error: "No response", MerchantReferenece: configuration.MerchantReference } };
    }
    show(said.show);
    if (said.callback) tell(said.callback, said.data);
  };

  const dirham = configuration.AmountTrxn.padStart(4, "0");
  find("amount").textContent = `${dirham.slice(0, -3)}.${dirham.slice(-3)}`;
  find("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send("pay");
  });
  find("decline").addEventListener("click", () => send("decline"));
  find("close").addEventListener("click", () => tell("close"));
  send("open");
})();
