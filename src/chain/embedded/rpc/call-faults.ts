import { CountedFaults, type FaultStatus } from '../../../common/collections/counted-faults.ts';
import { parseJson } from '../../json-rpc/json.ts';
import type { HandlerLookup } from './dispatch.ts';
import { RpcError } from './errors.ts';

/** A fault of the next calls of a method over HTTP, for tests of clients. */
export interface CallFault {
  /** Such as `sendTransaction`; `*` is every method. */
  readonly method: string;
  /** Answered to the whole request in place of its calls. Null: the calls are answered. */
  readonly status: FaultStatus | null;
  /** The code of the JSON-RPC error with which the call is answered, without being made. Null: none. */
  readonly code: number | null;
  /** Milliseconds before the request is answered, 0 to 30,000. */
  readonly delayMs: number;
  /** How many calls it strikes, 1 to 1,000. */
  readonly count: number;
}

/** A call that a fault has struck. */
export interface StruckCall extends Omit<CallFault, 'count'> {
  /** Unix milliseconds. */
  readonly at: number;
}

/** What happens to a request. */
export interface RequestStrike {
  readonly status: FaultStatus | null;
  readonly delayMs: number;
  /** Replaces the handlers of calls that fail. To be used for this request only. */
  readonly handlersOf: (handlers: HandlerLookup) => HandlerLookup;
}

export const CALL_FAULT_MESSAGE = 'A test has asked for this error';

/** The faults that wait for JSON-RPC calls over HTTP. */
export class CallFaults {
  readonly #faults = new CountedFaults<CallFault, StruckCall>();
  readonly #now: () => number;

  /** @param now - Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Adds a fault. Returns the reason when it is refused, and otherwise null. */
  add(fault: CallFault): string | null {
    return this.#faults.add(fault);
  }

  clear(): void {
    this.#faults.clear();
  }

  list(): { readonly waiting: readonly CallFault[]; readonly struck: readonly StruckCall[] } {
    const { waiting, struck } = this.#faults;
    return { waiting, struck };
  }

  /**
   * Counts down the faults that match the calls of a request or batch, one for each call.
   *
   * @returns Null when none matches.
   */
  strike(text: string): RequestStrike | null {
    if (this.#faults.waiting.length === 0) return null;
    const struck = callsOf(text).map(({ method }) => ({ method, fault: this.#take(method) }));
    const faults = struck.flatMap(({ fault }) => (fault === null ? [] : [fault]));
    if (faults.length === 0) return null;
    return {
      status: faults.find(({ status }) => status !== null)?.status ?? null,
      delayMs: Math.max(...faults.map(({ delayMs }) => delayMs)),
      handlersOf: (handlers) => failing(handlers, struck),
    };
  }

  #take(method: string): CallFault | null {
    return this.#faults.take(
      (each) => each.method === '*' || each.method === method,
      ({ status, code, delayMs }) => ({ method, status, code, delayMs, at: this.#now() }),
    );
  }
}

interface Call {
  readonly method: string;
}

/** The calls of a request that are answered: those that are not malformed, and no notifications. */
function callsOf(text: string): readonly Call[] {
  let request: unknown;
  try {
    request = parseJson(text);
  } catch {
    return [];
  }
  return (Array.isArray(request) ? request : [request]).filter(isCall);
}

function isCall(call: unknown): call is Call {
  if (typeof call !== 'object' || call === null) return false;
  const { jsonrpc, id, method } = call as Readonly<Record<string, unknown>>;
  return jsonrpc === '2.0' && id !== undefined && typeof method === 'string';
}

/** Handlers of which the struck calls fail. The calls of a request are made in their order, each once. */
function failing(
  handlers: HandlerLookup,
  struck: readonly { readonly method: string; readonly fault: CallFault | null }[],
): HandlerLookup {
  const waiting = [...struck];
  return {
    get: (method) => {
      const place = waiting.findIndex((each) => each.method === method);
      const [next] = place === -1 ? [] : waiting.splice(place, 1);
      const code = next?.fault?.code ?? null;
      if (code === null) return handlers.get(method);
      return () => {
        throw new RpcError(code, CALL_FAULT_MESSAGE);
      };
    },
  };
}
