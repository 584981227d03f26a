import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import type { Address } from '../../../solana/address.ts';
import { compareAmounts } from '../../../solana/units.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { requireRecord } from '../../records/account-json.ts';
import type { PriorityFeeSample } from '../../chain.ts';
import { requireList, requireU64 } from '../client/read-json.ts';
import { POLL, type RpcClient } from '../client/rpc-client.ts';

/** The maximum number of account sets whose fees are kept in memory. */
const MAX_SETS = 32;
/** The maximum number of accounts that nodes accept in one call. */
const MAX_ACCOUNTS = 128;
/** A set that was not requested for this long is not read again. */
const WANTED_MS = 30_000;
const READ_AGAIN_MS = 10_000;
/** Samples older than this are not used. */
const MAX_SAMPLE_AGE_MS = 60_000;
/** The maximum number of sets that are read with one poll. */
const SETS_PER_POLL = 4;

interface FeeSet {
  readonly accounts: readonly Address[];
  samples: readonly PriorityFeeSample[];
  /** Minus infinity before the first read. */
  readAt: number;
  wantedAt: number;
}

/**
 * Recent priority fees, kept in memory for the whole network and for sets of accounts. The first request for a set
 * returns the network's fees, and causes the set to be read for later requests.
 */
export class RecentFees {
  readonly #client: RpcClient;
  readonly #timers: Timers;
  readonly #isShared: (account: Address) => boolean;
  #networkFees: readonly PriorityFeeSample[] = [];
  /** In the order of their last requests. */
  readonly #sets = new Map<string, FeeSet>();

  /** @param isShared - Whether many transactions write the account, as with pools, unlike the accounts of one user. */
  constructor(client: RpcClient, timers: Timers, isShared: (account: Address) => boolean) {
    this.#client = client;
    this.#timers = timers;
    this.#isShared = isShared;
  }

  /** Implements `Chain.recentPriorityFees`. Accounts that are not shared are ignored. */
  of(writable: readonly Address[]): readonly PriorityFeeSample[] {
    const accounts = writable.filter(this.#isShared).sort().slice(0, MAX_ACCOUNTS);
    if (accounts.length === 0) return this.#networkFees;
    const now = this.#timers.now();
    const key = accounts.join();
    const set = this.#sets.get(key) ?? { accounts, samples: [], readAt: -Infinity, wantedAt: now };
    set.wantedAt = now;
    this.#sets.delete(key);
    this.#sets.set(key, set);
    const [oldest] = this.#sets.keys();
    if (oldest !== undefined && this.#sets.size > MAX_SETS) this.#sets.delete(oldest);
    return now - set.readAt > MAX_SAMPLE_AGE_MS ? this.#networkFees : set.samples;
  }

  /**
   * Reads the network's fees, and those of sets that are due.
   *
   * @throws ChainUnavailable when there is no answer.
   * @throws RpcRefusal when the RPC refuses a call.
   */
  async poll(): Promise<void> {
    const now = this.#timers.now();
    const due = [...this.#sets.values()]
      .filter(({ wantedAt, readAt }) => now - wantedAt < WANTED_MS && now - readAt > READ_AGAIN_MS)
      .sort((one, other) => (one.readAt < other.readAt ? -1 : 1))
      .slice(0, SETS_PER_POLL);
    const read = due.map(async (set) => {
      set.samples = await this.#read(set.accounts);
      set.readAt = now;
    });
    // Awaited together, because a promise that rejects while another is awaited would be an unhandled rejection.
    const [networkFees] = await Promise.all([this.#read([]), ...read]);
    this.#networkFees = networkFees;
  }

  #read(accounts: readonly Address[]): Promise<PriorityFeeSample[]> {
    return this.#client.call('getRecentPrioritizationFees', [accounts], readSamples, POLL);
  }
}

/** Reads the result of `getRecentPrioritizationFees`, and sorts it newest first. */
function readSamples(result: unknown): PriorityFeeSample[] {
  const samples = requireList(result, 'result', (element, path) => {
    const { slot, prioritizationFee } = requireRecord(element, path);
    return {
      slot: requireU64(slot, `${path}.slot`),
      microLamports: requireU64(prioritizationFee, `${path}.prioritizationFee`),
    };
  });
  return samples
    .sort((one, other) => compareAmounts(other.slot, one.slot))
    .slice(0, Number(MAX_BLOCKHASH_AGE));
}
