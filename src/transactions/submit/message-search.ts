import {
  type AddressSignature,
  type Chain,
  ChainUnavailable,
  type SignatureStatus,
} from '../../chain/chain.ts';
import { readBlockhashLifetime } from '../../chain/recent-blockhashes.ts';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { ConcurrencyLimit } from '../../common/collections/concurrency-limit.ts';
import { getCurrentWorker, getShareHolder } from '../../common/party.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58Exactly } from '../../solana/encoding/base58.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { parseMessage } from '../../solana/messages/message.ts';
import { SIGNATURE_BYTES, verifySignatureInPool } from '../../solana/messages/signature.ts';
import { MAX_DENIALS } from './transaction-lookup.ts';

/** A message that its fee payer may have signed several times. */
export interface SearchedMessage {
  readonly messageBytes: Uint8Array;
  /** The last block height at which the message could land, or an earlier one. */
  readonly lastValidBlockHeight: bigint;
}

export type MessageSearch =
  | { readonly kind: 'landed'; readonly signature: string; readonly status: SignatureStatus }
  /** The lists of all its parties were read, again and again, and none has a transaction with the message. */
  | { readonly kind: 'denied' }
  /** The network keeps no lists. */
  | { readonly kind: 'unlisted' }
  /** The lists could not be read to their ends. The same search goes on where this one stopped. */
  | { readonly kind: 'unknown' };

export const PAGE = 1_000;
/** The most pages that one search reads before it is `unknown`. */
export const MAX_PAGES = 20;
/** Searches of one holder that have stopped and can go on. One that is forgotten begins again. */
const MAX_REMEMBERED = 200;
/** The most looks of one holder that wait for their turn. */
const MAX_LOOKS = 100;
/** Holders whose searches are remembered. */
const MAX_HOLDERS = 200;
/** The most pages that one look reads: it must not have thousands of signatures verified. */
const LOOK_PAGES = 4;
/** Verified in the thread pool at a time by all searches, so that long lists do not keep it from others. */
const VERIFIED_AT_ONCE = 16;
/** Searches that wait to verify signatures. Another is `unknown`. */
const MAX_WAITING = 1_000;
/** The lists of the fee payer and of the next signer. Nobody else has a part in a message that is searched for. */
const MAX_LISTS = 2;
/** More slots than a network needs for a block, on average over the life of a blockhash. */
const SLOTS_PER_BLOCK = 4n;

/** How far the lists have been read. */
interface Progress {
  /** The slot of a final block after the last one with the message. */
  readonly asOf: bigint;
  /** The message was not signed before this slot. */
  readonly since: bigint;
  /** How often all lists were read to their ends. */
  passes: number;
  list: number;
  before: AddressSignature | null;
}

/**
 * The searches over one chain for one organisation, all callers without a key, or Sluice itself, see `getShareHolder`. Nobody's
 * searches are forgotten, kept waiting, or left without calls because of another's.
 */
interface Searches {
  readonly stopped: BoundedCache<string, Progress>;
  readonly running: Map<string, Promise<MessageSearch>>;
  readonly looks: ConcurrencyLimit;
  /** One for all holders, who take turns in it. */
  readonly verifying: ConcurrencyLimit;
}

interface ChainSearches {
  readonly holders: BoundedCache<string, Searches>;
  readonly verifying: ConcurrencyLimit;
}

const searchesByChain = new WeakMap<object, ChainSearches>();

type SearchedChain = Pick<
  Chain,
  'signaturesOf' | 'signatureStatuses' | 'slot' | 'blockHeight' | 'recentBlockhash'
>;

/**
 * Looks for any transaction with this message, whichever signature of its fee payer it has: a fee payer can sign one
 * message many times, so that a signature that is not on the chain proves nothing about the message. The lists of the
 * message's signers are read back to the time when it was signed, several times, because the nodes behind one URL need
 * not agree.
 *
 * Call it when the message can no longer land and everything that could contain it is final; before, it may be denied too
 * early.
 */
export function searchMessage(chain: SearchedChain, message: SearchedMessage): Promise<MessageSearch> {
  const searches = searchesOver(chain);
  const key = Buffer.from(sha256(message.messageBytes)).toString('hex');
  const running = searches.running.get(key);
  if (running !== undefined) return running;
  const search = new OngoingSearch(chain, searches, message.messageBytes);
  const started = search.run(key, message.lastValidBlockHeight).finally(() => searches.running.delete(key));
  searches.running.set(key, started);
  return started;
}

/**
 * Looks once for a message that can still land, as of a slot. It says nothing of what follows, and `searchMessage` does
 * not go on from it. Each holder has one look made at a time, so that looks leave room to searches.
 *
 * @param asOf - A slot that every node that answers must know.
 * @returns null if the message was in no block up to that slot, or the network keeps no lists
 * @throws ChainUnavailable when the lists could not be read to their ends
 */
export async function lookForMessage(
  chain: SearchedChain,
  { messageBytes, lastValidBlockHeight }: SearchedMessage,
  asOf: bigint,
): Promise<Extract<MessageSearch, { kind: 'landed' }> | null> {
  const searches = searchesOver(chain);
  const search = new OngoingSearch(chain, searches, messageBytes);
  const found = await searches.looks.run(false, () => search.once(lastValidBlockHeight, asOf));
  if (found.kind === 'unknown') {
    throw new ChainUnavailable('the lists of the parties could not be read to their ends');
  }
  return found.kind === 'landed' ? found : null;
}

function searchesOver(chain: object): Searches {
  const all = searchesByChain.get(chain) ?? {
    holders: new BoundedCache<string, Searches>(MAX_HOLDERS),
    verifying: new ConcurrencyLimit(
      1,
      MAX_WAITING,
      () => new ChainUnavailable('too many messages are searched for'),
    ),
  };
  searchesByChain.set(chain, all);
  const holder = getShareHolder(getCurrentWorker());
  const known = all.holders.get(holder);
  if (known !== undefined) return known;
  const { verifying } = all;
  const searches = {
    stopped: new BoundedCache<string, Progress>(MAX_REMEMBERED),
    running: new Map<string, Promise<MessageSearch>>(),
    looks: new ConcurrencyLimit(
      1,
      MAX_LOOKS,
      () => new ChainUnavailable(`${MAX_LOOKS} searches wait already`),
    ),
    verifying,
  };
  all.holders.set(holder, searches);
  return searches;
}

class OngoingSearch {
  readonly #chain: SearchedChain;
  readonly #searches: Searches;
  readonly #messageBytes: Uint8Array;
  readonly #signers: readonly Address[];
  readonly #feePayer: Address;

  constructor(chain: SearchedChain, searches: Searches, messageBytes: Uint8Array) {
    const { staticAccounts, signers } = parseMessage(messageBytes);
    const [feePayer] = staticAccounts;
    if (feePayer === undefined) throw new RangeError('a message has a fee payer');
    this.#chain = chain;
    this.#searches = searches;
    this.#messageBytes = messageBytes;
    this.#feePayer = feePayer;
    this.#signers = staticAccounts.slice(0, Math.min(signers, MAX_LISTS));
  }

  async run(key: string, lastValidBlockHeight: bigint): Promise<MessageSearch> {
    const { stopped } = this.#searches;
    try {
      const known = stopped.get(key);
      const isDone = known === undefined || known.passes >= MAX_DENIALS;
      const progress = isDone ? this.#begin(lastValidBlockHeight) : known;
      stopped.set(key, progress);
      return await this.#goOn(progress);
    } catch (error) {
      return unreadable(error);
    }
  }

  /** Reads all lists once. */
  async once(lastValidBlockHeight: bigint, asOf: bigint): Promise<MessageSearch> {
    try {
      const progress = { ...this.#begin(lastValidBlockHeight), asOf, passes: MAX_DENIALS - 1 };
      return await this.#goOn(progress, LOOK_PAGES);
    } catch (error) {
      return unreadable(error);
    }
  }

  #begin(lastValidBlockHeight: bigint): Progress {
    const chain = this.#chain;
    const [slot, height] = [chain.slot('finalized'), chain.blockHeight('finalized')];
    const expiredFor = height > lastValidBlockHeight ? height - lastValidBlockHeight : 0n;
    const slots = (expiredFor + readBlockhashLifetime(chain)) * SLOTS_PER_BLOCK;
    return { asOf: slot, since: slots < slot ? slot - slots : 0n, passes: 0, list: 0, before: null };
  }

  async #goOn(progress: Progress, maxPages = MAX_PAGES): Promise<MessageSearch> {
    for (let pages = 0; progress.passes < MAX_DENIALS; pages++) {
      if (pages >= maxPages) return { kind: 'unknown' };
      const page = await this.#page(progress);
      const signature = await this.#ourOf(page, progress.since);
      if (signature !== null) return this.#landed(signature);
      const last = page.at(-1);
      if (last !== undefined && last.slot >= progress.since) progress.before = last;
      else this.#endList(progress);
    }
    return { kind: 'denied' };
  }

  #endList(progress: Progress): void {
    progress.before = null;
    progress.list++;
    if (progress.list < this.#signers.length) return;
    progress.list = 0;
    progress.passes++;
  }

  async #page({ list, before, asOf }: Progress): Promise<readonly AddressSignature[]> {
    const address = this.#signers[list] ?? this.#feePayer;
    const range = before === null ? {} : { before: before.signature };
    const page = await this.#chain.signaturesOf(address, { limit: PAGE, asOf, ...range });
    let newest = before?.slot ?? null;
    for (const { slot } of page) {
      if (newest !== null && slot > newest) {
        throw new ChainUnavailable(`the list of ${address} has slot ${slot} after ${newest}`);
      }
      newest = slot;
    }
    return page;
  }

  /** Returns the signature of the fee payer for the message; null if the page has none. */
  async #ourOf(page: readonly AddressSignature[], since: bigint): Promise<string | null> {
    const recent = page.filter(({ slot }) => slot >= since);
    for (let from = 0; from < recent.length; from += VERIFIED_AT_ONCE) {
      const some = recent.slice(from, from + VERIFIED_AT_ONCE);
      const verified = await this.#searches.verifying.run(false, () =>
        Promise.all(some.map(({ signature }) => this.#isOurs(signature))),
      );
      const found = some[verified.indexOf(true)];
      if (found !== undefined) return found.signature;
    }
    return null;
  }

  async #isOurs(signature: string): Promise<boolean> {
    const bytes = decodeBase58Exactly(signature, SIGNATURE_BYTES);
    return bytes !== null && verifySignatureInPool(this.#feePayer, this.#messageBytes, bytes);
  }

  async #landed(signature: string): Promise<MessageSearch> {
    const [status = null] = await this.#chain.signatureStatuses([signature]);
    // A node listed it as confirmed, and the one that was asked lags behind.
    if (status === null || status.commitment === 'processed') return { kind: 'unknown' };
    return { kind: 'landed', signature, status };
  }
}

/** For `catch`. */
function unreadable(error: unknown): MessageSearch {
  if (!(error instanceof ChainUnavailable)) throw error;
  return { kind: error.kind === 'refused' ? 'unlisted' : 'unknown' };
}
