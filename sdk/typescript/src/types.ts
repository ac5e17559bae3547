import type { components } from './schema.js';

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

/** Which intents are listed. Times are ISO 8601 with an offset. */
export interface ListFilter {
  merchant_reference?: string;
  status?: Status;
  customer_external_id?: string;
  created_from?: string;
  created_to?: string;
  /** How many at a time, 1 to 100; 25 where it is left out. */
  limit?: number;
}

/** One page of a list, newest first. */
export interface PaymentIntentPage {
  data: PaymentIntent[];
  /** To be given to the next call; null on the last page. */
  next_cursor: string | null;
}

/** Something that happened to an intent. There may be more fields, which depend on the type. */
export interface PaymentIntentEvent {
  /** The number of the event in the life of its intent, from 1. */
  sequence: number;
  type: string;
  at: string;
  [field: string]: unknown;
}
