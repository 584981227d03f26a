import type { FastifyInstance } from 'fastify';
import { type Timers, waitWithin, wait } from '../../common/ports/timers.ts';
import { closeServer } from './server.ts';

export interface StoppingOptions {
  /** Milliseconds for which requests are still accepted after `/readyz` has begun to answer 503. */
  readonly delayMs: number;
  /** Milliseconds that requests and executions in flight have to finish. */
  readonly graceMs: number;
  /** Resolves when no execution is in flight. */
  readonly settled: () => Promise<void>;
  readonly timers: Timers;
}

export interface Stopping {
  /** Returns true once `stop` was called. */
  readonly hasBegun: () => boolean;
  /** Resolves when everything in flight has finished, or the time for it is over. */
  readonly stop: (app: FastifyInstance) => Promise<void>;
}

/**
 * Creates the shutdown of an instance: `/readyz` announces it, the server stops listening, and what was begun may finish
 * within a bounded time.
 */
export function createStopping({ delayMs, graceMs, settled, timers }: StoppingOptions): Stopping {
  let begun = false;
  return {
    hasBegun: () => begun,
    stop: async (app) => {
      begun = true;
      if (delayMs > 0) await wait(delayMs, timers);
      const giveUpAt = timers.now() + graceMs;
      await closeServer(app, graceMs);
      // An execution continues after its client has left.
      await waitWithin(settled(), giveUpAt - timers.now(), timers);
    },
  };
}
