import type { Account } from '../accounts.ts';
import { OperatorError } from '../../common/operator-error.ts';
import type { Address } from '../../solana/address.ts';
import { readAccountJson, requireRecord } from '../records/account-json.ts';
import { type PostLimits, Unreachable } from '../../common/bounded-post.ts';
import { callRpc } from './rpc-call.ts';

/** A network from which accounts can be copied. */
export interface AccountSource {
  /** The source's name for messages: the origin of its URL, because the path and query may contain a key. */
  readonly origin: string;
  /**
   * Reads accounts, a hundred at a time at one slot.
   *
   * Returns the accounts in the order of `addresses`, with null for those that do not exist.
   * @throws OperatorError when the source does not answer.
   */
  read(addresses: readonly Address[]): Promise<(Account | null)[]>;
}

/** The maximum number of accounts that RPC nodes accept in one `getMultipleAccounts` call. */
const BATCH = 100;
const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 128 * 1024 * 1024 };

/**
 * Returns a source that reads from a Solana JSON-RPC over HTTP.
 *
 * @example
 * ```ts
 * import { address } from '../../solana/address.ts';
 * import { createRpcAccountSource } from './account-source.ts';
 *
 * const source = createRpcAccountSource(new URL('https://rpc.example.com'));
 * const [account] = await source.read([address('So11111111111111111111111111111111111111112')]);
 * ```
 */
export function createRpcAccountSource(url: URL, limits: PostLimits = LIMITS): AccountSource {
  return {
    origin: url.origin,
    async read(addresses) {
      const accounts: (Account | null)[] = [];
      for (let from = 0; from < addresses.length; from += BATCH) {
        accounts.push(...(await readBatch(url, addresses.slice(from, from + BATCH), limits)));
      }
      return accounts;
    },
  };
}

async function readBatch(
  url: URL,
  addresses: readonly Address[],
  limits: PostLimits,
): Promise<(Account | null)[]> {
  const { origin } = url;
  const params = [addresses, { encoding: 'base64', commitment: 'confirmed' }];
  const call = () => callRpc(url, 'getMultipleAccounts', params, limits);
  const result = await call().catch((error: unknown) => {
    // A node may close an idle connection at the moment at which the next call is written to it.
    if (error instanceof Unreachable && error.isClosed) return call();
    throw error;
  });
  const { value } = requireRecord(result, `${origin}: result`);
  if (!Array.isArray(value) || value.length !== addresses.length) {
    throw new OperatorError(
      `${origin} was asked for ${addresses.length} accounts, but result.value is no array of as many`,
    );
  }
  return addresses.map((address, index) => {
    const account: unknown = value[index];
    return account === null ? null : readAccountJson(account, `${address} from ${origin}`);
  });
}
