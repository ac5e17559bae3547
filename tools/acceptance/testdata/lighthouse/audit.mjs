// Has Lighthouse look at pages as on a mobile phone and prints a JSON line for each:
// {address, scores, failed, lcp, requests, bytes}, of the requests of its first view. The network and the processor are those of
// Lighthouse's own "slow 4G": 1.6 Mbit/s, 150 ms, a processor a quarter as fast.
//
// node audit.mjs PORT METHOD ADDRESS...: PORT is where a browser listens for instructions, METHOD how
// the network is made slow: simulate (computed of a fast load) or devtools (the browser waits).
import lighthouse from "lighthouse";

const [port, throttlingMethod, ...addresses] = process.argv.slice(2);

// failed are the audits that cost a page points, each with what it says.
function failed(result) {
  const weighed = Object.values(result.categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  return weighed
    .map(({ id }) => result.audits[id])
    .filter(({ score }) => score !== null && score < 1)
    .map(({ id, title, displayValue, details }) => `${id}: ${title} ${displayValue ?? ""} ${JSON.stringify(details?.items ?? []).slice(0, 600)}`);
}

for (const address of addresses) {
  const { lhr } = await lighthouse(address, {
    port: Number(port), output: "json", logLevel: "error", formFactor: "mobile", throttlingMethod,
    onlyCategories: ["performance", "accessibility", "best-practices"],
  });
  if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`);
  // A picture that comes with the page is no request; the question for the state comes two seconds later.
  const fetched = lhr.audits["network-requests"].details.items.filter(({ url, resourceType }) => !url.startsWith("data:") && resourceType !== "Fetch");
  console.log(JSON.stringify({
    address,
    scores: Object.fromEntries(Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round(score * 100)])),
    failed: failed(lhr),
    lcp: Math.round(lhr.audits["largest-contentful-paint"].numericValue),
    requests: fetched.map(({ url, resourceType, transferSize }) => `${resourceType} ${transferSize} ${url}`),
    bytes: fetched.reduce((sum, { transferSize }) => sum + transferSize, 0),
  }));
}
