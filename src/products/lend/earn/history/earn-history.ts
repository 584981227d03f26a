import {
  hasBegunAgain,
  listSignaturesAfter,
  readListedTransactions,
} from '../../../../chain/address-history.ts';
import type { AddressSignature, Chain } from '../../../../chain/chain.ts';
import { getCurrentWorker, getShareHolder } from '../../../../common/party.ts';
import { type Timers, repeatWithPauses } from '../../../../common/ports/timers.ts';
import { deriveLendingAddress } from '../../../../protocols/jupiter-lend/lending/addresses.ts';
import { listEarnMovements } from '../../../../protocols/jupiter-lend/lending/movements.ts';
import type { Address } from '../../../../solana/address.ts';
import type { EarnMarket, EarnMarkets } from '../../../../lend/earn/markets/earn-markets.ts';
import { computeEarnToken } from '../../../../lend/earn/markets/earn-token.ts';
import { RequestRefused } from '../../../../common/request-refused.ts';
import {
  type FullFollower,
  type FollowedPeriod,
  type HistoryFollower,
  type HistoryStore,
  MAX_ACCOUNTS,
  MAX_ACCOUNTS_OF_FOLLOWER,
  type RecordedTransaction,
} from './history-store.ts';

export interface EarnHistoryOptions {
  readonly chain: Chain;
  readonly store: HistoryStore;
  readonly markets: EarnMarkets;
  /**
   * Returns the first slot from which the instance's own network keeps all transactions. Every transaction of the
   * lendings is then followed, which would be too many calls to an outside RPC. Null over an outside RPC: each account
   * of receipt tokens is then followed from the first request for it.
   */
  readonly ownHistoryFrom: (() => Promise<bigint>) | null;
  readonly timers: Timers;
  /** Called when following failed in the background. The next attempt follows. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * The interval at which lendings that changed are read, while the network still has the transactions since the last
 * read.
 */
const READ_EVERY_MS = 5_000;
/** The number of slots between two saves: about a minute. */
const SAVE_EVERY_SLOTS = 150n;
const MAX_PAGES = 20;
/** The number of transactions that are recorded together. */
const BATCH = 50;

/** Follows deposits and withdrawals on the chain, and records them. */
export class EarnHistory {
  readonly #options: EarnHistoryOptions;
  readonly #running = new Map<string, Promise<FollowedPeriod | null>>();
  /** The lendings that changed since they were last read. */
  readonly #changed = new Set<Address>();
  /**
   * The slot up to which all movements of a lending are known. It is saved regularly, so that an instance that restarts
   * after a crash notices which transactions the network dropped before they were read.
   */
  readonly #knownUpTo = new Map<Address, bigint>();
  #savedSlot = 0n;
  readonly #stops: (() => void)[] = [];
  #closed = false;

  constructor(options: EarnHistoryOptions) {
    this.#options = options;
  }

  /**
   * Starts to follow every lending, and catches up with the transactions since this instance last ran.
   * @throws ChainUnavailable when the network does not answer
   */
  async start(): Promise<void> {
    const { ownHistoryFrom, markets, timers } = this.#options;
    if (ownHistoryFrom === null) return;
    this.#stops.push(
      markets.onLendingChange((lendings) => {
        for (const lending of lendings) this.#changed.add(lending);
      }),
    );
    for (const market of markets.list())
      await this.#followed(deriveLendingAddress(market.lending.mint).address, market);
    const onError = (error: unknown) => this.#options.onDefect('the history of earn tokens', error);
    if (!this.#closed)
      this.#stops.push(repeatWithPauses(READ_EVERY_MS, () => this.#readChanged(), timers, onError));
  }

  /**
   * Records everything that has been confirmed until now.
   * @param account - The owner's account of receipt tokens. It is followed if not all accounts are.
   * @param exists - Whether there is such an account. An account that does not exist is not followed, so that requests for
   *   made-up wallets store nothing; an account that was followed before it was closed still is.
   * @returns the history that covers the account; null if the account is not followed
   * @throws ChainUnavailable when the network does not answer, or does not return a transaction that it lists
   * @throws RequestRefused when no further account can be followed
   */
  upToNow(market: EarnMarket, account: Address, exists: boolean): Promise<FollowedPeriod | null> {
    if (this.#options.ownHistoryFrom !== null) {
      return this.#followed(deriveLendingAddress(market.lending.mint).address, market);
    }
    return this.#followed(account, exists ? market : null);
  }

  /** @param market - The market with which a new history begins; null if none is to begin. */
  async #followed(address: Address, market: EarnMarket | null): Promise<FollowedPeriod | null> {
    const key = this.#runOf(address);
    const running = this.#running.get(key);
    // The run in progress may have begun before the caller's transaction was confirmed.
    if (running !== undefined) await running.catch(() => undefined);
    const joined = this.#running.get(key);
    if (joined !== undefined) return joined;
    const reading = this.#read(address, market);
    this.#running.set(key, reading);
    return reading.finally(() => {
      if (this.#running.get(key) === reading) this.#running.delete(key);
    });
  }

  /**
   * Names the run of an address that a caller may join. Over an outside RPC a caller joins no run of others, because a
   * run fails when the caller that began it has used up its calls.
   */
  #runOf(address: Address): string {
    return this.#options.ownHistoryFrom === null
      ? `${getShareHolder(getCurrentWorker())} ${address}`
      : address;
  }

  /** Stops following, and waits for the recording in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await Promise.allSettled(this.#running.values());
    await this.#saveKnown(0n).catch((error: unknown) =>
      this.#options.onDefect('the history of earn tokens', error),
    );
  }

  async #readChanged(): Promise<void> {
    const slot = this.#options.chain.slot('confirmed');
    for (const market of this.#options.markets.list()) {
      const { address } = deriveLendingAddress(market.lending.mint);
      if (!this.#changed.delete(address)) {
        // Each movement changes the lending, so there was none.
        if (this.#knownUpTo.has(address) && !this.#running.has(this.#runOf(address)))
          this.#knownUpTo.set(address, slot);
        continue;
      }
      try {
        await this.#followed(address, market);
      } catch (error) {
        this.#changed.add(address);
        throw error;
      }
    }
    await this.#saveKnown(SAVE_EVERY_SLOTS);
  }

  /** Saves the slot up to which each lending is known, unless it was saved less than `slots` ago. */
  async #saveKnown(slots: bigint): Promise<void> {
    let [slot = 0n] = this.#knownUpTo.values();
    for (const known of this.#knownUpTo.values()) if (known < slot) slot = known;
    if (this.#options.ownHistoryFrom === null || slot < this.#savedSlot + slots) return;
    await this.#options.store.markKnown([...this.#knownUpTo.keys()], slot);
    this.#savedSlot = slot;
  }

  async #read(address: Address, market: EarnMarket | null): Promise<FollowedPeriod | null> {
    const { chain, ownHistoryFrom, store, timers } = this.#options;
    const found = await store.find(address, this.#follower()?.now ?? null);
    if (found === null) return market === null ? null : this.#begin(address, market);
    if (hasBegunAgain(chain, { slot: found.cursorSlot }, ownHistoryFrom !== null, timers.now())) {
      await store.forget();
      return market === null ? null : this.#begin(address, market);
    }
    const slot = chain.slot('confirmed');
    const signatures = await this.#signaturesAfter(address, found);
    if (signatures === null || (await this.#hasGap(address, found))) return this.#beginAgain(address, market);
    for (let at = 0; at < signatures.length && !this.#closed; at += BATCH) {
      const transactions = await this.#transactions(signatures.slice(at, at + BATCH));
      if (transactions === null) return this.#beginAgain(address, market);
      await store.record(address, transactions);
    }
    if (!this.#closed) this.#noteKnown(address, slot);
    return found;
  }

  /** Over an outside RPC nothing is noted: it would be one entry for each account. */
  #noteKnown(address: Address, slot: bigint): void {
    if (this.#options.ownHistoryFrom !== null) this.#knownUpTo.set(address, slot);
  }

  /** Null where lendings are followed and not accounts. Callers without a key have one share together. */
  #follower(): HistoryFollower | null {
    const { ownHistoryFrom, timers } = this.#options;
    if (ownHistoryFrom !== null) return null;
    return { follower: getShareHolder(getCurrentWorker()), now: timers.now() };
  }

  /** Returns whether the instance's own network has dropped transactions since the last read. */
  async #hasGap(address: Address, { knownSlot }: FollowedPeriod): Promise<boolean> {
    const { ownHistoryFrom, chain } = this.#options;
    if (ownHistoryFrom === null) return false;
    const slot = chain.slot('confirmed');
    // A network that crashed may have lost its last slots.
    const known = this.#knownUpTo.get(address) ?? (knownSlot < slot ? knownSlot : slot);
    return (await ownHistoryFrom()) > known + 1n;
  }

  /** Earlier movements are unknown, so the current balance counts as held since now. */
  async #begin(address: Address, market: EarnMarket): Promise<FollowedPeriod> {
    const { store } = this.#options;
    const history = await this.#fromNow(address, market);
    const outcome = await store.begin(address, history, this.#follower());
    if (outcome !== 'begun') throw createFollowRefusal(address, outcome);
    // Another instance may have started the history a moment earlier.
    return (await store.find(address)) ?? history;
  }

  /**
   * Starts the history again if some movements since its start cannot be known: too small a figure is better than a
   * wrong one.
   */
  async #beginAgain(address: Address, market: EarnMarket | null): Promise<FollowedPeriod | null> {
    if (market === null) return null;
    const history = await this.#fromNow(address, market);
    await this.#options.store.restart(address, history);
    return history;
  }

  async #fromNow(address: Address, market: EarnMarket): Promise<FollowedPeriod> {
    const { chain } = this.#options;
    const now = chain.clock().unixTimestamp;
    const knownSlot = chain.slot('confirmed');
    this.#noteKnown(address, knownSlot);
    const [newest] = await chain.signaturesOf(address, { limit: 1 });
    const slot = newest?.slot ?? 0n;
    return {
      startedAt: Number(now),
      startPrice: computeEarnToken(market, now).tokenPrice,
      startSlot: slot,
      cursor: newest?.signature ?? null,
      cursorSlot: slot,
      knownSlot,
    };
  }

  /** Returns the signatures, oldest first; null if there are more than can be read. */
  async #signaturesAfter(
    address: Address,
    { cursor, cursorSlot }: FollowedPeriod,
  ): Promise<readonly AddressSignature[] | null> {
    const from = { signature: cursor, slot: cursorSlot };
    const listing = { maxPages: MAX_PAGES };
    const listed = await listSignaturesAfter(this.#options.chain, address, from, listing);
    return listed.isComplete ? [...listed.signatures].reverse() : null;
  }

  /**
   * Returns null if the network has lost one of them.
   * @throws ChainUnavailable when the network does not have one of them yet
   */
  async #transactions(signatures: readonly AddressSignature[]): Promise<RecordedTransaction[] | null> {
    const lendings = new Map(
      this.#options.markets
        .list()
        .map(({ lending }) => [deriveLendingAddress(lending.mint).address, lending]),
    );
    const recorded: RecordedTransaction[] = [];
    for (const [index, landed] of (await readListedTransactions(this.#options.chain, signatures)).entries()) {
      const listed = signatures[index];
      if (landed === null || listed === undefined) return null;
      const { signature, slot } = listed;
      recorded.push({ signature, slot, movements: listEarnMovements(landed, lendings) });
    }
    return recorded;
  }
}

function createFollowRefusal(account: Address, outcome: FullFollower): RequestRefused {
  return new RequestRefused(
    outcome === 'follower-is-full'
      ? `${MAX_ACCOUNTS_OF_FOLLOWER} accounts of receipt tokens are followed for you already, and ${account} is none of them; those that nobody asks for make room after 30 days`
      : `${MAX_ACCOUNTS} accounts of receipt tokens are followed already, and ${account} is none of them; those that nobody asks for make room after 30 days`,
  );
}
