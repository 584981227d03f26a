import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import { runAs } from '../../../common/party.ts';
import { type Timers, wait } from '../../../common/ports/timers.ts';
import type { SignatureSearch, SignatureStatus } from '../../chain.ts';
import { readFinalBlock, readStatuses, readStatusesInContext } from './read-transaction.ts';
import { RpcRefusal, type RpcClient } from '../client/rpc-client.ts';

/** The maximum number of signatures that RPC nodes accept in one call. */
const MAX_SIGNATURES = 256;
/** Requests within this time share a call. */
const GATHER_MS = 20;
/** Nodes know the statuses of the last 300 slots without a search of their history, which is slow. */
const RECENT_MS = 30_000;
const MAX_REMEMBERED = 10_000;
/** How a node refuses what only its history could answer. */
export const NO_HISTORY = -32011;

type OptionalStatus = SignatureStatus | null;

interface StatusBatch {
  readonly signatures: Set<string>;
  readonly statuses: Promise<ReadonlyMap<string, OptionalStatus>>;
}

/**
 * Reads signature statuses, many with one call. The node's history is searched too for signatures that are new or were
 * first requested a while ago, so that a transaction that landed earlier is found.
 */
export class StatusBatches {
  readonly #client: Pick<RpcClient, 'call'>;
  readonly #timers: Timers;
  readonly #firstAsked = new BoundedCache<string, number>(MAX_REMEMBERED);
  readonly #gathering: { recent: StatusBatch | null; old: StatusBatch | null } = { recent: null, old: null };

  constructor(client: Pick<RpcClient, 'call'>, timers: Timers) {
    this.#client = client;
    this.#timers = timers;
  }

  async of(signatures: readonly string[]): Promise<OptionalStatus[]> {
    const batches = new Map(signatures.map((signature) => [signature, this.#join(signature)]));
    const found = new Map<string, OptionalStatus>();
    for (const batch of new Set(batches.values())) {
      for (const [signature, status] of await batch.statuses) found.set(signature, status);
    }
    return signatures.map((signature) => found.get(signature) ?? null);
  }

  #join(signature: string): StatusBatch {
    const now = this.#timers.now();
    const first = this.#firstAsked.get(signature);
    if (first === undefined) this.#firstAsked.set(signature, now);
    const kind = first !== undefined && now - first < RECENT_MS ? 'recent' : 'old';
    const open = this.#gathering[kind];
    if (open !== null && open.signatures.size < MAX_SIGNATURES) {
      open.signatures.add(signature);
      return open;
    }
    const asked = new Set([signature]);
    const gathered = wait(GATHER_MS, this.#timers);
    const batch: StatusBatch = {
      signatures: asked,
      statuses: gathered.then(() => {
        if (this.#gathering[kind] === batch) this.#gathering[kind] = null;
        // It answers several callers, none of whom may be refused because another has used up its calls.
        return runAs('own', () => this.#ask([...asked], kind === 'old'));
      }),
    };
    // Every caller that joined awaits the promise. This handler only prevents an unhandled rejection.
    batch.statuses.catch(() => {});
    this.#gathering[kind] = batch;
    return batch;
  }

  async #ask(
    signatures: readonly string[],
    searchTransactionHistory: boolean,
  ): Promise<ReadonlyMap<string, OptionalStatus>> {
    const read = (result: unknown) => readStatuses(result, signatures.length);
    try {
      const config = { searchTransactionHistory };
      const statuses = await this.#client.call('getSignatureStatuses', [signatures, config], read);
      return new Map(signatures.map((signature, index) => [signature, statuses[index] ?? null]));
    } catch (error) {
      if (!(error instanceof RpcRefusal && error.code === NO_HISTORY && searchTransactionHistory))
        throw error;
      return this.#ask(signatures, false);
    }
  }
}

/**
 * Implements `Chain.searchSignature`. Different nodes may answer the two calls. The finalized block is read first, so that
 * a search result as of its slot or a later one covers everything up to that block.
 */
export async function searchSignature(
  client: Pick<RpcClient, 'call'>,
  signature: string,
): Promise<SignatureSearch> {
  const finalized = await client.call('getEpochInfo', [{ commitment: 'finalized' }], readFinalBlock);
  const search = async (searchTransactionHistory: boolean): Promise<SignatureSearch> => {
    const params = [[signature], { searchTransactionHistory }];
    const read = (result: unknown) => readStatusesInContext(result, 1);
    const { slot, statuses } = await client.call('getSignatureStatuses', params, read);
    return { status: statuses[0] ?? null, slot, finalized, hasHistory: searchTransactionHistory };
  };
  try {
    return await search(true);
  } catch (error) {
    if (error instanceof RpcRefusal && error.code === NO_HISTORY) return search(false);
    throw error;
  }
}
