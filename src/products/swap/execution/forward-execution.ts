import { parseBoundedJson } from '../../../common/bounded-json.ts';
import type { MessageTransport } from '../../../common/ports/message-transport.ts';
import type { ExecutionStore } from '../../../common/ports/execution-store.ts';
import { type Timers, wait } from '../../../common/ports/timers.ts';
import type { ExecutionResult } from '../../../swaps/orders/execution-result.ts';
import { readResult } from '../../../swaps/orders/stored-result.ts';
import type { StoredOrder } from '../../../swaps/orders/stored-order.ts';

/** A signed order to execute. Plain JSON, because instances forward it unchanged. */
export interface ExecutionRequest {
  readonly requestId: string;
  /** Base64. */
  readonly signedTransaction: string;
  /** Compared with that of the order, if given. */
  readonly lastValidBlockHeight?: string | number | null;
}

/**
 * Has an order executed by the instance that owns its maker. That instance has the maker's stream, and knows what the
 * maker has promised.
 * Returns null if this instance has to execute the order: no maker has to sign, this instance owns the maker, or the
 * owner is gone or does not begin.
 */
export type ForwardExecution = (
  order: StoredOrder,
  request: ExecutionRequest,
) => Promise<ExecutionResult | null>;

export interface ForwardingOptions {
  readonly transport: MessageTransport;
  readonly executions: ExecutionStore;
  readonly timers: Timers;
  /**
   * Returns the other instance that owns the maker; null if this instance or none does.
   * @throws Unavailable while the shared state does not answer
   */
  readonly findOwner: (makerId: string) => Promise<string | null>;
}

const LOOK_AGAIN_MS = 100;
/** What was sent over a dead connection is lost, so the order is sent again until an instance has begun it. */
const SEND_AGAIN_MS = 1_250;
/** If no instance has begun the order by then, the owner will not. */
const MAX_IDLE_MS = 3_000;

/** Forwards orders over the transport, and waits for their results in the shared store. */
export function createExecutionForwarder({
  transport,
  executions,
  timers,
  findOwner,
}: ForwardingOptions): ForwardExecution {
  return async ({ coSigner, requestId }, request) => {
    const owner = coSigner === undefined ? null : await findOwner(coSigner.makerId);
    if (owner === null) return null;
    const send = () => transport.send(owner, JSON.stringify(request));
    if (!(await send())) return null;
    const firstSentAt = timers.now();
    let lastSentAt = firstSentAt;
    let wasHeld = false;
    for (;;) {
      const state = await executions.look(requestId);
      if (state.kind === 'ended') return readResult(state.answer);
      if (state.kind === 'held') wasHeld = true;
      // The owner ended its execution without a final result; the fill's record shows its state.
      else if (wasHeld || timers.now() - firstSentAt >= MAX_IDLE_MS) return null;
      // The owner begins the execution once, however often the request arrives.
      else if (timers.now() - lastSentAt >= SEND_AGAIN_MS) {
        if (!(await send())) return null;
        lastSentAt = timers.now();
      }
      await wait(LOOK_AGAIN_MS, timers);
    }
  };
}

/**
 * Returns the request that another instance forwarded.
 * @throws SyntaxError if the message is not JSON
 */
export function readForwardedRequest(message: string): ExecutionRequest {
  return parseBoundedJson(message) as ExecutionRequest;
}
