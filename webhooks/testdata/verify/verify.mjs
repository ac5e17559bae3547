// Reads JSON lines {secret, headers, body, now} and answers each with a line: ok, or what is wrong.
import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";

const realNow = Date.now;
for await (const line of createInterface({ input: process.stdin })) {
  const { secret, headers, body, now } = JSON.parse(line);
  Date.now = now === undefined ? realNow : () => now;
  try {
    new Webhook(secret).verify(body, headers);
    console.log("ok");
  } catch (cause) {
    console.log(String(cause.message));
  }
}
