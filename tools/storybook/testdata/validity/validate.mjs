// Prints what html-validate has against the pages of a folder, as JSON lines:
// {file, rule, message}, and at the end {pages}. Its own command would put the rules
// together anew for every page, which takes longer than the pages do.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import config from "./htmlvalidate.cjs";

const loader = new StaticConfigLoader(config);
const rules = await loader.getConfigFor("page.html");
loader.getConfigFor = () => rules;
const validator = new HtmlValidate(loader);

const folder = process.argv[2];
let pages = 0;
for (const name of (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html"))) {
  const report = await validator.validateFile(join(folder, name));
  for (const { messages } of report.results) {
    for (const { ruleId, message } of messages) {
      console.log(JSON.stringify({ file: name, rule: ruleId, message }));
    }
  }
  pages++;
}
console.log(JSON.stringify({ pages }));
