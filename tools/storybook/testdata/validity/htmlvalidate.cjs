// What html-validate recommends, and what it says of whole documents. What is
// relaxed says why.
module.exports = {
  root: true,
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // The standard allows both, and what it takes for granted is what is meant.
    "doctype-style": "off",
    "no-implicit-button-type": "off",
    "no-implicit-input-type": "off",
    // The title has the merchant's name, however long.
    "long-title": "off",
    // Everything comes from the service itself.
    "require-sri": ["error", { target: "crossorigin" }],
    // The list of mistakes comes before the heading of the page, to be read first.
    "heading-level": ["error", { minInitialRank: "h2" }],
    // A table that scrolls is no section of the text.
    "prefer-native-element": ["error", { exclude: ["region"] }],
    // A heading of the guide is named by its words, with the marks of Arabic.
    "valid-id": ["error", { relaxed: true }],
    // Several of a list can be chosen.
    "form-dup-name": ["error", { shared: ["radio", "checkbox", "button", "reset", "submit"] }],
  },
};
