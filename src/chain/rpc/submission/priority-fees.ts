import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import type { Address } from '../../../solana/address.ts';
import { compareAmounts } from '../../../solana/units.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { asRecord } from '../../account-json.ts';
import type { PriorityFeeSample } from '../../chain.ts';
import { asList, asU64 } from '../client/read-json.ts';
import { POLL, type RpcClient } from '../client/rpc-client.ts';

/** Sets of accounts whose fees are kept warm. */
const MAX_SETS = 32;
/** As many accounts as nodes take in one question. */
const MAX_ACCOUNTS = 128;
/** A set that nobody asked for since is not read any more. */
const WANTED_MS = 30_000;
const READ_AGAIN_MS = 10_000;
/** After this long what was read of a set says nothing any more. */
const KEPT_MS = 60_000;
/** Sets that are read with one poll. */
const SETS_PER_POLL = 4;

interface FeeSet {
  readonly accounts: readonly Address[];
  samples: readonly PriorityFeeSample[];
  /** Minus infinity before the first time. */
  readAt: number;
  wantedAt: number;
}

/**
 * Recent priority fees, answered from memory: of the network, and of the sets of accounts that are asked for. The
 * first question for a set is answered with the network's, and the set is read for those that follow.
 */
export class RecentFees {
  readonly #client: RpcClient;
  readonly #timers: Timers;
  readonly #isShared: (account: Address) => boolean;
  #everywhere: readonly PriorityFeeSample[] = [];
  /** The one asked for last comes last. */
  readonly #sets = new Map<string, FeeSet>();

  /** `isShared` tells accounts that many transactions write, such as pools, from those of one user. */
  constructor(client: RpcClient, timers: Timers, isShared: (account: Address) => boolean) {
    this.#client = client;
    this.#timers = timers;
    this.#isShared = isShared;
  }

  /** See `Chain.recentPriorityFees`; only accounts that are shared count. */
  of(writable: readonly Address[]): readonly PriorityFeeSample[] {
    const accounts = writable.filter(this.#isShared).sort().slice(0, MAX_ACCOUNTS);
    if (accounts.length === 0) return this.#everywhere;
    const now = this.#timers.now();
    const key = accounts.join();
    const set = this.#sets.get(key) ?? { accounts, samples: [], readAt: -Infinity, wantedAt: now };
    set.wantedAt = now;
    this.#sets.delete(key);
    this.#sets.set(key, set);
    const [oldest] = this.#sets.keys();
    if (oldest !== undefined && this.#sets.size > MAX_SETS) this.#sets.delete(oldest);
    return now - set.readAt > KEPT_MS ? this.#everywhere : set.samples;
  }

  /** @throws ChainUnavailable, RpcRefusal */
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
    // All at once: one that fails while another is waited for would be nobody's.
    const [everywhere] = await Promise.all([this.#read([]), ...read]);
    this.#everywhere = everywhere;
  }

  #read(accounts: readonly Address[]): Promise<PriorityFeeSample[]> {
    return this.#client.call('getRecentPrioritizationFees', [accounts], readSamples, POLL);
  }
}

/** Newest first. */
function readSamples(result: unknown): PriorityFeeSample[] {
  const samples = asList(result, 'result', (element, path) => {
    const { slot, prioritizationFee } = asRecord(element, path);
    return {
      slot: asU64(slot, `${path}.slot`),
      microLamports: asU64(prioritizationFee, `${path}.prioritizationFee`),
    };
  });
  return samples
    .sort((one, other) => compareAmounts(other.slot, one.slot))
    .slice(0, Number(MAX_BLOCKHASH_AGE));
}
