// What stylelint recommends: mistakes, not taste.
module.exports = {
  extends: ["stylelint-config-recommended"],
  rules: {
    // The sheets are in the order of the pages' parts, not of their selectors' weight.
    "no-descending-specificity": null,
  },
};
