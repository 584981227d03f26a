import type { Account } from '../chain.ts';
import { OperatorError } from '../../common/operator-error.ts';
import type { Address } from '../../solana/address.ts';
import { accountOfJson, asRecord } from '../account-json.ts';
import type { PostLimits } from '../../common/bounded-post.ts';
import { callRpc } from './rpc-call.ts';

/** Somewhere that accounts can be copied from. */
export interface AccountSource {
  /** Where this is, for messages: without the path and query of a URL, which may hold a key. */
  readonly origin: string;
  /**
   * In the order of `addresses`; null for what does not exist. Each hundred are read at one slot.
   * @throws OperatorError
   */
  read(addresses: readonly Address[]): Promise<(Account | null)[]>;
}

/** As many as RPC nodes take in one `getMultipleAccounts`. */
const BATCH = 100;
const LIMITS: PostLimits = { timeoutMs: 30_000, maxBytes: 128 * 1024 * 1024 };

/** Reads from a Solana JSON-RPC over HTTP. */
export function rpcAccountSource(url: URL, limits: PostLimits = LIMITS): AccountSource {
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
  const { value } = asRecord(await callRpc(url, 'getMultipleAccounts', params, limits), `${origin}: result`);
  if (!Array.isArray(value) || value.length !== addresses.length) {
    throw new OperatorError(
      `${origin} was asked for ${addresses.length} accounts, but result.value is no array of as many`,
    );
  }
  return addresses.map((address, index) => {
    const account: unknown = value[index];
    return account === null ? null : accountOfJson(account, `${address} from ${origin}`);
  });
}
