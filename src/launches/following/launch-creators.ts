import { listSignaturesAfter, readListedTransactions } from '../../chain/address-history.ts';
import { type AddressSignature, type Chain, ChainUnavailable } from '../../chain/chain.ts';
import { listEmittedEvents } from '../../chain/events/emitted-events.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import { decodeDbcEvent } from '../../protocols/meteora-dbc/program/events.ts';
import {
  DbcTokenType,
  METEORA_DBC_EVENT_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import { deriveMetadataAddress } from '../../solana/programs/token-metadata/program.ts';
import type { IndexedLaunch } from './indexed-launch.ts';

export interface LaunchCreatorsOptions {
  readonly chain: Pick<Chain, 'signaturesOf' | 'transaction' | 'slot'>;
  /** The creators of launches that no transaction has made, by their pools. */
  readonly genesisCreators: ReadonlyMap<Address, Address>;
}

/** How often the transaction of a launch is looked for. That of a new launch may not be confirmed at first. */
const MAX_TRIES = 5;
/** How many launches may wait to be read. Further ones are asked for again with the next request. */
const MAX_WAITING = 10_000;
/** How many are read at a time. An outside RPC takes two calls for most of them. */
const READ_AT_ONCE = 4;
/** How many pages of transactions are listed. Of a launch with more, the creator is not known. */
const MAX_PAGES = 3;
/** How many of the oldest transactions are read: anybody can name an address before a token is launched there. */
const MAX_OLDEST = 20;
const READ_TOGETHER = 5;

const PROGRAM = { program: METEORA_DBC_PROGRAM, eventAuthority: METEORA_DBC_EVENT_AUTHORITY };

/**
 * Who has signed each launch as its creator, read once from the transaction of the launch, in the background. The account of a launch
 * says only who has the creator's rights now, and those can be handed to a wallet that does not sign.
 */
export class LaunchCreators {
  readonly #options: LaunchCreatorsOptions;
  readonly #counts = new Map<Address, number>();
  readonly #waiting = new Set<IndexedLaunch>();

  constructor(options: LaunchCreatorsOptions) {
    this.#options = options;
  }

  /** Returns the creator of a launch, and looks for it if it is not known. */
  get(launch: IndexedLaunch): Address | null {
    if (launch.creator !== null || launch.creatorTries >= MAX_TRIES) return launch.creator;
    const ofGenesis = this.#options.genesisCreators.get(launch.pool);
    if (ofGenesis !== undefined) this.#note(launch, ofGenesis);
    else if (this.#waiting.size < MAX_WAITING) this.#waiting.add(launch);
    return launch.creator;
  }

  /** Returns how many launches of a creator are known. */
  countOf(creator: Address): number {
    return this.#counts.get(creator) ?? 0;
  }

  /** Forgets a launch that is not kept any more. */
  forget(launch: IndexedLaunch): void {
    this.#waiting.delete(launch);
    if (launch.creator === null) return;
    const left = this.countOf(launch.creator) - 1;
    if (left > 0) this.#counts.set(launch.creator, left);
    else this.#counts.delete(launch.creator);
    launch.creator = null;
    launch.creatorTries = MAX_TRIES;
  }

  /**
   * Looks for the creators of the next launches that were asked for.
   *
   * @throws ChainUnavailable when the network does not answer
   */
  async readSome(): Promise<void> {
    for (const launch of [...this.#waiting].slice(0, READ_AT_ONCE)) {
      // Others come first if this one cannot be read.
      this.#waiting.delete(launch);
      this.#waiting.add(launch);
      const creator = await this.#read(launch);
      // It may have been forgotten meanwhile.
      if (!this.#waiting.has(launch)) continue;
      launch.creatorTries++;
      if (creator !== null) this.#note(launch, creator);
      if (creator !== null || launch.creatorTries >= MAX_TRIES) this.#waiting.delete(launch);
    }
  }

  async #read(launch: IndexedLaunch): Promise<Address | null> {
    try {
      return await findLaunchCreator(this.#options.chain, launch);
    } catch (error) {
      // Nodes may keep no history, which is no outage.
      if (error instanceof ChainUnavailable && error.kind === 'refused') return null;
      throw error;
    }
  }

  #note(launch: IndexedLaunch, creator: Address): void {
    launch.creator = creator;
    this.#counts.set(creator, this.countOf(creator) + 1);
  }
}

/** Returns null if the transaction of the launch is not among the oldest of the network's history, or not confirmed. */
async function findLaunchCreator(
  chain: LaunchCreatorsOptions['chain'],
  launch: IndexedLaunch,
): Promise<Address | null> {
  const oldest = await listOldestSignatures(chain, getQuietAddress(launch));
  for (let at = 0; at < oldest.length; at += READ_TOGETHER) {
    for (const transaction of await readListedTransactions(chain, oldest.slice(at, at + READ_TOGETHER))) {
      const creator = transaction === null ? null : findSignedCreator(transaction, launch.pool);
      if (creator !== null) return creator;
    }
  }
  return null;
}

/**
 * Returns an address that the transaction of the launch names, and few others do: the metadata of a token of the older program.
 * Nothing but the pool is as good for one of the newer program.
 */
function getQuietAddress({ pool, mint, tokenType }: IndexedLaunch): Address {
  return tokenType === DbcTokenType.SPL_TOKEN ? deriveMetadataAddress(mint) : pool;
}

/** The oldest first. None if the address has too many transactions. */
async function listOldestSignatures(
  chain: LaunchCreatorsOptions['chain'],
  address: Address,
): Promise<readonly AddressSignature[]> {
  const all = { signature: null, slot: 0n };
  const { signatures, isComplete } = await listSignaturesAfter(chain, address, all, { maxPages: MAX_PAGES });
  return isComplete ? signatures.slice(-MAX_OLDEST).reverse() : [];
}

/** Finds the creator that a launch was recorded with, whose signature the program demands. */
function findSignedCreator(transaction: LandedTransaction, pool: Address): Address | null {
  for (const { data } of listEmittedEvents(transaction, PROGRAM)) {
    const event = decodeDbcEvent(data);
    if (event?.kind === 'poolInitialized' && event.pool === pool) return event.creator;
  }
  return null;
}
