import { CountedFaults, type FaultStatus } from '../../../../common/collections/counted-faults.ts';
import { parseJson } from '../../../json-rpc/json.ts';
import type { HandlerLookup } from './dispatch.ts';
import { RpcError } from '../../../json-rpc/rpc-errors.ts';

/** A fault that is injected into the next calls of a method over HTTP, for tests of clients. */
export interface CallFault {
  /** The name of the method, such as `sendTransaction`, or `*` for every method. */
  readonly method: string;
  /** The HTTP status with which the whole request is answered, and none of its calls made. Null to answer the calls. */
  readonly status: FaultStatus | null;
  /** The code of the JSON-RPC error with which the call is answered without being made. Null to make the call. */
  readonly code: number | null;
  /** Milliseconds before the request is answered, 0 to 30,000. */
  readonly delayMs: number;
  /** The number of calls, 1 to 1,000. */
  readonly count: number;
}

/** A call into which a fault was injected. */
export interface StruckCall extends Omit<CallFault, 'count'> {
  /** Unix milliseconds. */
  readonly at: number;
}

/** The faults of one HTTP request. */
export interface RequestStrike {
  readonly status: FaultStatus | null;
  readonly delayMs: number;
  /** Replaces the handlers of the calls that have to fail. Use the result for this request only. */
  readonly handlersOf: (handlers: HandlerLookup) => HandlerLookup;
}

export const CALL_FAULT_MESSAGE = 'A test has asked for this error';

/** The queue of faults for JSON-RPC calls over HTTP. */
export class CallFaults {
  readonly #faults = new CountedFaults<CallFault, StruckCall>();
  readonly #now: () => number;

  /** @param now - Returns Unix milliseconds. */
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
   * Selects a fault for each call of a request or batch, and counts it down.
   *
   * Returns null when no fault matches any of the calls.
   */
  strike(text: string): RequestStrike | null {
    if (this.#faults.waiting.length === 0) return null;
    const struck = parseFaultableCalls(text).map(({ method }) => ({ method, fault: this.#take(method) }));
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

interface FaultableCall {
  readonly method: string;
}

/** Returns the calls of a request that will be answered, which excludes malformed ones and notifications. */
function parseFaultableCalls(text: string): readonly FaultableCall[] {
  let request: unknown;
  try {
    request = parseJson(text);
  } catch {
    return [];
  }
  return (Array.isArray(request) ? request : [request]).filter(isCall);
}

function isCall(call: unknown): call is FaultableCall {
  if (typeof call !== 'object' || call === null) return false;
  const { jsonrpc, id, method } = call as Readonly<Record<string, unknown>>;
  return jsonrpc === '2.0' && id !== undefined && typeof method === 'string';
}

/** Returns handlers that fail the calls with an error code. The calls of a request are looked up once each, in order. */
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
