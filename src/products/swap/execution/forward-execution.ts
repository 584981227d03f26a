import { parseBoundedJson } from '../../../common/bounded-json.ts';
import type { Relay } from '../../../common/ports/relay.ts';
import type { SharedRuns } from '../../../common/ports/shared-runs.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { ExecuteBody, ExecuteResponse } from './execute-schema.ts';
import type { StoredOrder } from './stored-order.ts';

/**
 * Has an order executed by the instance that has its maker's stream, and what the maker has promised; null when no maker
 * has to sign, or that is this instance, or it is gone, or it does not begin: then this one is to do it.
 */
export type ForwardExecution = (order: StoredOrder, body: ExecuteBody) => Promise<ExecuteResponse | null>;

export interface ForwardingOptions {
  readonly relay: Relay;
  readonly runs: SharedRuns;
  readonly timers: Timers;
  /** The other instance that has the maker; null when this one has, or none. @throws Unavailable */
  readonly homeOf: (makerId: string) => Promise<string | null>;
}

const LOOK_AGAIN_MS = 100;
/** What was sent over a connection that is dead is lost, so the order is sent again until somebody is at it. */
const SEND_AGAIN_MS = 1_250;
/** After so long without anybody at it, the order does not come about where it was sent. */
const MAX_IDLE_MS = 3_000;

export function forwardExecution({ relay, runs, timers, homeOf }: ForwardingOptions): ForwardExecution {
  return async ({ coSigner, requestId }, body) => {
    const home = coSigner === undefined ? null : await homeOf(coSigner.makerId);
    if (home === null) return null;
    const send = () => relay.send(home, JSON.stringify(body));
    if (!(await send())) return null;
    const firstSentAt = timers.now();
    let lastSentAt = firstSentAt;
    let wasHeld = false;
    for (;;) {
      const state = await runs.look(requestId);
      if (state.kind === 'ended') return JSON.parse(state.answer) as ExecuteResponse;
      if (state.kind === 'held') wasHeld = true;
      // Let go of without an answer that lasts: what became of it is recorded.
      else if (wasHeld || timers.now() - firstSentAt >= MAX_IDLE_MS) return null;
      // The instance that has it begins it once, however often it comes.
      else if (timers.now() - lastSentAt >= SEND_AGAIN_MS) {
        if (!(await send())) return null;
        lastSentAt = timers.now();
      }
      await new Promise<void>((resolve) => timers.after(LOOK_AGAIN_MS, resolve));
    }
  };
}

/** What another instance sent with `executeAtHome`. */
export function forwardedBody(message: string): ExecuteBody {
  return parseBoundedJson(message) as ExecuteBody;
}
