// A merchant's server in TypeScript. All it knows of the API is what
// openapi-typescript made of openapi.yaml: schema.ts, beside this file when it is
// compiled. It prints what it was told, for the test to compare.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Status = components["schemas"]["Status"];

// All states there are: one more or less in openapi.yaml does not compile.
const paid: Record<Status, boolean> = {
  requires_payment_method: false,
  processing: false,
  succeeded: true,
  canceled: false,
};

const { BASE_URL, ACCESS_TOKEN, API_KEY } = process.env;
const client = createClient<paths>({
  baseUrl: BASE_URL,
  headers: { Authorization: `Bearer ${ACCESS_TOKEN}`, "X-API-Key": API_KEY },
});

const before = await client.GET("/webhook-deliveries");
assert(before.data, "the cursor from now on");

const order = { merchant_reference: "order-1001", amount: 5000, currency: "LYD", description: "Order 1001" } as const;
const created = await client.POST("/payment-intents", { body: { ...order, metadata: { branch: "طرابلس" } } });
assert.equal(created.response.status, 201);
assert(created.data, "a new intent");
const { uuid, checkout_url } = created.data.data;

const read = await client.GET("/payment-intents/{uuid}", { params: { path: { uuid } } });
assert(read.data, "the intent");
assert.deepEqual(read.data.data, created.data.data);
assert.equal(paid[read.data.data.status], false);

const again = await client.POST("/payment-intents", { body: { ...order, amount: 9000 } });
assert.equal(again.response.status, 200);
assert.equal(again.data?.data.uuid, uuid);
assert.equal(again.response.headers.get("Idempotent-Replayed-Differs"), "amount, metadata");

const { data: since } = await client.GET("/webhook-deliveries", { params: { query: { after: before.data.next } } });
assert(since, "webhooks");
const event: { type: string; data: { uuid: string } } = JSON.parse(since.data[0].body);
assert.equal(event.type, "payment_intent.created");
assert.equal(event.data.uuid, uuid);

const unknown = await client.GET("/payment-intents/{uuid}", { params: { path: { uuid: "00000000-0000-4000-8000-000000000000" } } });
assert.equal(unknown.response.status, 404);
assert(unknown.error && "message" in unknown.error);
assert.equal(unknown.error.message, "Not found.");

// @ts-expect-error An amount is a number, and tsc knows it.
const refused = await client.POST("/payment-intents", { body: { ...order, merchant_reference: "order-1002", amount: "5000" } });
assert.equal(refused.response.status, 422);
assert(refused.error && "errors" in refused.error);
assert.deepEqual(Object.keys(refused.error.errors), ["amount"]);

console.log(JSON.stringify({ uuid, checkout_url, webhook: since.data[0].id }));
