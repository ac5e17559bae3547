/**
 * A client of the Daftar payment service for a merchant's server: it creates and retrieves
 * payment intents, gives money back and verifies webhooks.
 *
 * What fails for a while is tried again with the same reference, so nothing is
 * done twice. What is refused is thrown as a typed error (errors.ts).
 */
export { Daftar } from './client.js';
export type { DaftarOptions } from './client.js';
export * from './errors.js';
export type {
  CreatedPaymentIntent,
  CreatedRefund,
  CreatePaymentIntent,
  CreateRefund,
  ListFilter,
  PaymentIntent,
  PaymentIntentEvent,
  PaymentIntentPage,
  Refund,
  RefundStatus,
  Status,
} from './types.js';
export { verifyWebhook } from './webhook.js';
export type { VerifyOptions, WebhookEvent, WebhookHeaders } from './webhook.js';
