import type { Tracing } from '../common/ports/tracing.ts';
import type { Chain } from './chain.ts';

/** The methods that may call the network. All others read from memory. */
const NETWORK_METHODS: ReadonlySet<string | symbol> = new Set<keyof Chain>([
  'getAccounts',
  'getProgramAccounts',
  'simulate',
  'send',
  'signatureStatuses',
  'searchSignature',
  'signaturesOf',
  'lamportSupply',
  'transaction',
  'callRaw',
]);

/** Wraps a chain so that each call of the network is recorded as a span. */
export function createTracedChain(chain: Chain, tracing: Tracing): Chain {
  const wrapped = new Map<string | symbol, unknown>();
  return new Proxy(chain, {
    get: (target, name) => {
      const known = wrapped.get(name);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const bound = value.bind(target) as (...args: readonly unknown[]) => unknown;
      const own = NETWORK_METHODS.has(name) ? traced(bound, `chain ${String(name)}`, tracing) : bound;
      wrapped.set(name, own);
      return own;
    },
  });
}

function traced(call: (...args: readonly unknown[]) => unknown, name: string, tracing: Tracing) {
  return async (...args: readonly unknown[]) => {
    const span = tracing.begin(name);
    try {
      const answer = await span.within(() => call(...args));
      span.end();
      return answer;
    } catch (error) {
      span.end(error);
      throw error;
    }
  };
}
