import type { FastifyInstance } from 'fastify';
import { type Timers, within } from '../../common/ports/timers.ts';
import { closeServer } from './server.ts';

export interface StoppingOptions {
  /** Milliseconds for which requests are still taken after `/readyz` has begun to say that no more should come. */
  readonly delayMs: number;
  /** Milliseconds that requests and executions under way have to end. */
  readonly longestMs: number;
  /** Resolves when no execution is under way. */
  readonly settled: () => Promise<void>;
  readonly timers: Timers;
}

export interface Stopping {
  readonly hasBegun: () => boolean;
  /** Resolves when what was under way has ended, or was given up. */
  readonly stop: (app: FastifyInstance) => Promise<void>;
}

/** How an instance leaves: it says so, stops listening, lets what it began end, for a bounded time. */
export function stopping({ delayMs, longestMs, settled, timers }: StoppingOptions): Stopping {
  let begun = false;
  const wait = (ms: number) => new Promise<void>((resolve) => timers.after(ms, resolve));
  return {
    hasBegun: () => begun,
    stop: async (app) => {
      begun = true;
      if (delayMs > 0) await wait(delayMs);
      const giveUpAt = timers.now() + longestMs;
      await closeServer(app, longestMs);
      // Executions go on when their client has left.
      await within(settled(), giveUpAt - timers.now(), timers);
    },
  };
}
