import { setTimeout as sleep } from 'node:timers/promises';

import { UnavailableError } from './errors.js';

/** The first wait and the longest, in seconds, without what the service asks for. */
const firstWait = 0.2;
const longestWait = 5;

/**
 * Calls attempt until it returns, or fails for good, or another try would begin later than
 * retryFor seconds after the first. The last error is thrown.
 */
export async function untilItEnds<T>(retryFor: number, isTransient: (error: unknown) => boolean, attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + retryFor * 1000;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = waitAfter(error, tries) * 1000;
      if (!isTransient(error) || performance.now() + wait > end) throw error;
      await sleep(wait);
    }
  }
}

/**
 * How long to wait after the given number of tries: what the service asks for, and a random time
 * that grows, so that clients that failed together do not come back together.
 */
function waitAfter(error: unknown, tries: number): number {
  const asked = error instanceof UnavailableError ? error.retryAfter ?? 0 : 0;
  return asked + Math.min(longestWait, firstWait * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
}
