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
    const body = { ...configuration, action, confirmed: given.get("confirmed") || "", card: find("card").value.replaceAll(" ", ""), code: find("code").value };
    let said;
    try {
      const answer = await fetch("/form", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      });
      said = await answer.json();
    } catch {
      said = { callback: "error", show: "silent", data: { error: "No response", MerchantReferenece: configuration.MerchantReference } };
    }
    if (said.show === "bank") {
      // Another host: the other name of this machine, where it has one.
      const bank = new URL("/bank", window.location);
      if (bank.hostname === "127.0.0.1") bank.hostname = "localhost";
      bank.search = new URLSearchParams([...given, ["card", body.card], ["code", body.code]]);
      window.location.assign(bank);
      return;
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
  if (given.get("confirmed")) {
    find("card").value = given.get("card");
    find("code").value = given.get("code");
    send("pay");
  } else {
    send("open");
  }
})();
