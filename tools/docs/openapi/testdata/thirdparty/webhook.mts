// Verifies one webhook with the headers that servers hand over, and prints whose were good.
import { createHmac } from "node:crypto";
import { Daftar, SignatureError, verifyWebhook, type PaymentIntent, type WebhookEvent, type WebhookHeaders } from "@daftar/sdk";
import { Headers as Undici } from "undici";

const { Headers: NodeFetch } = require_("node-fetch") as { Headers: new (of: Record<string, string>) => { get(name: string): string | null } };

function require_(name: string): unknown {
  return process.getBuiltinModule("node:module").createRequire(process.cwd() + "/")(name);
}

const secret = "whsec_" + Buffer.from("a secret of thirty-two characters").toString("base64");
const body = '{"type":"payment_intent.succeeded","timestamp":"2026-11-20T10:00:00.000000Z","data":{"uuid":"6e7d4c2a-6a3f-5c3a-9f6e-0a1b2c3d4e5f"}}';
const now = 1_795_255_200;
const signature = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64")).update(`evt_1.${now}.${body}`).digest("base64");
const plain = { "webhook-id": "evt_1", "webhook-timestamp": String(now), "webhook-signature": `v1,${signature}` };

const kinds: Record<string, WebhookHeaders> = {
  fetch: new Headers(plain),
  undici: new Undici(plain),
  "node-fetch": new NodeFetch(plain),
  "node:http": { ...plain, "x-forwarded-for": ["203.0.113.7"], get: "a header of that name" },
  Map: new Map(Object.entries(plain)),
  plain: Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value])),
};

// Where tests run in jsdom, none of these are there.
Reflect.deleteProperty(globalThis, "Headers");

const good: string[] = [];
for (const [name, headers] of Object.entries(kinds)) {
  const event: WebhookEvent = verifyWebhook(body, headers, secret, { now });
  if (event.id === "evt_1") good.push(name);
  try {
    verifyWebhook(body + " ", headers, secret, { now });
    good.push(`${name} of another body`);
  } catch (e) {
    if (!(e instanceof SignatureError)) throw e;
  }
}
console.log(good.join(", "));

export async function status(daftar: Daftar, uuid: string): Promise<PaymentIntent["status"]> {
  return (await daftar.retrievePaymentIntent(uuid)).status;
}
