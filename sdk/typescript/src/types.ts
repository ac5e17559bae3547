import type { components, operations } from './schema.js';

/** What the customer is asked to pay, as the API answers it. */
export type PaymentIntent = components['schemas']['PaymentIntent'];

/** How an intent stands. Fulfil an order only when it is `succeeded`. */
export type Status = components['schemas']['Status'];

/** What a new intent is made of. `amount` is in minor units: 5000 is 5.000 LYD. */
export type CreatePaymentIntent = components['schemas']['CreatePaymentIntent'];

/** The answer to a create. */
export interface CreatedPaymentIntent {
  intent: PaymentIntent;
  /**
   * The intent existed before: this `merchant_reference` was used already. After a lost answer
   * that is how a repeated create ends, and nothing is wrong.
   */
  replayed: boolean;
  /**
   * The fields in which this request differs from the intent that exists. They were ignored. If
   * there are any, two different orders have the same reference.
   */
  differs: string[];
}

/** Money that goes back to a customer, or was to, as the API answers it. */
export type Refund = components['schemas']['Refund'];

/** How a refund stands. `pending` and `unknown` are no outcome; only `failed` releases the amount. */
export type RefundStatus = components['schemas']['RefundStatus'];

/** What a new refund is made of. `amount` is in minor units; without it all that is left goes back. */
export type CreateRefund = components['schemas']['CreateRefund'];

/** The answer to a create of a refund. */
export interface CreatedRefund {
  refund: Refund;
  /**
   * The refund existed before: this `refund_reference` was used already. After a lost answer that
   * is how a repeated create ends, and nothing is wrong.
   */
  replayed: boolean;
  /**
   * The fields in which this request differs from the refund that exists. They were ignored. If
   * there are any, two different refunds have the same reference; with `payment_intent` among them
   * the refund is that of another intent.
   */
  differs: string[];
}

/** Which intents are listed, and how many at a time. */
export type ListFilter = Omit<NonNullable<operations['listPaymentIntents']['parameters']['query']>, 'cursor'>;

/** One page of a list, newest first. */
export type PaymentIntentPage = components['schemas']['PaymentIntentPage'];

/** Something that happened to an intent. Later versions of the service may have more types and fields. */
export type PaymentIntentEvent = components['schemas']['PaymentIntentEvent'];
