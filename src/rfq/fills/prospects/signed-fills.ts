import type { AccountUpdate } from '../../../chain/accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { SignedClaim } from '../../books/reservations.ts';
import type { Address } from '../../../solana/address.ts';
import { lookForMessage, type SearchedMessage } from '../../../transactions/submit/message-search.ts';
import { toNullIfUnavailable } from '../../../transactions/submit/submit-and-read.ts';
import type { FillSpending } from '../../../swaps/orders/stored-order.ts';
import { getPayableAtoms } from './taker-commitments.ts';

/** A fill whose taker's accounts are to be watched. */
export interface FillToWatch {
  readonly taker: Address;
  readonly spending: FillSpending;
  /** The one that the taker sent. The taker pays for the transaction, and can land it with another. */
  readonly signature: string;
  readonly message: SearchedMessage;
  /** Called with each change of the taker's wallet and of the account that pays. */
  readonly onChange?: (updates: readonly AccountUpdate[]) => void;
}

/** A fill whose taker's accounts are watched. */
export interface WatchedFill {
  /** Called when the maker has signed. From now on the claim is notified of whether the account covers the fill. */
  signed(claim: SignedClaim): void;
  /** Ends the watching. May be called more than once. */
  close(): void;
}

interface WatchedFillEntry extends FillToWatch {
  /** Null until the maker has signed. */
  claim: SignedClaim | null;
  isCovered: boolean;
}

/** The account that pays, and the taker's wallet, which pays for accounts that the swap creates. */
interface PayingAccount {
  /** Oldest first. */
  readonly entries: Set<WatchedFillEntry>;
  readonly stopWatch: () => void;
  /** Atoms at the newest state; null until the first change, because the account was read before the offer. */
  holds: bigint | null;
  /** Of that state. */
  slot: bigint;
  isStale: boolean;
  isLooking: boolean;
}

interface Uncovered {
  readonly claim: SignedClaim;
  readonly message: SearchedMessage;
  /** Unix milliseconds. */
  readonly at: number;
  /** The slot in which the account first lacked the tokens. */
  readonly slot: bigint;
}

type WatchedChain = Pick<
  Chain,
  'watchAccounts' | 'signatureStatuses' | 'signaturesOf' | 'slot' | 'blockHeight' | 'recentBlockhash'
>;

/** Milliseconds; longer than a fill can take from its offer to its end on chain. */
const REMEMBERED_MS = 300_000;

/**
 * Watches the accounts of takers, once for all fills that an account pays for, and notifies the claims of signed
 * fills of whether the account still covers them. The state is that at `processed`: with an older one, tokens could
 * be spent several times before that is visible. If such a state is dropped again, or a taker returns its tokens, the
 * worst outcome is that a swap fails on chain for lack of the maker's inventory, and the maker is not blamed for it.
 */
export class SignedFills {
  readonly #chain: WatchedChain;
  readonly #timers: Timers;
  readonly #onDefect: (where: string, error: unknown) => void;
  readonly #accounts = new Map<Address, PayingAccount>();
  /** The fills that were not covered at some time, by signature, the newest last. */
  readonly #uncovered = new Map<string, Uncovered>();

  constructor(chain: WatchedChain, timers: Timers, onDefect: (where: string, error: unknown) => void) {
    this.#chain = chain;
    this.#timers = timers;
    this.#onDefect = onDefect;
  }

  /** Watches the wallet of a taker and the account that pays for its fill. */
  watch(fill: FillToWatch): WatchedFill {
    const address = fill.spending.account;
    const account = this.#accounts.get(address) ?? this.#open(fill);
    const entry: WatchedFillEntry = { ...fill, claim: null, isCovered: true };
    account.entries.add(entry);
    return {
      signed: (claim) => {
        entry.claim = claim;
        this.#look(account);
      },
      close: () => {
        if (!account.entries.delete(entry)) return;
        if (account.entries.size > 0) this.#look(account);
        else {
          account.stopWatch();
          this.#accounts.delete(address);
        }
      },
    };
  }

  /**
   * @param enough - Atoms after which nothing more is looked up.
   * @returns the atoms that the maker has paid, up to the slot, in swaps that were uncovered for some time before
   *   they landed, whichever signature of their takers they landed by
   * @throws ChainUnavailable when the network does not answer
   */
  async landedAfterAll({ makerId, mint }: SignedClaim, slot: bigint, enough: bigint): Promise<bigint> {
    const same = [...this.#uncovered].filter(
      ([, { claim }]) => claim.makerId === makerId && claim.mint === mint,
    );
    if (same.length === 0) return 0n;
    const statuses = await this.#chain.signatureStatuses(same.map(([signature]) => signature));
    let sum = 0n;
    for (const [index, [, { claim, message, slot: since }]] of same.entries()) {
      if (sum >= enough) break;
      const status = statuses[index] ?? (await lookForMessage(this.#chain, message, slot))?.status;
      if (status === undefined || status.error !== null || status.slot > slot) continue;
      // What the account lacks from the slot of the landing on is what the swap itself took.
      if (status.slot > since) sum += claim.amount;
    }
    return sum;
  }

  #open({ taker, spending }: FillToWatch): PayingAccount {
    const { account: address } = spending;
    const stopWatch = this.#chain.watchAccounts([...new Set([taker, address])], (updates) => {
      const paying = updates.findLast((update) => update.address === address);
      if (paying !== undefined) {
        account.holds = getPayableAtoms(spending, paying.account);
        account.slot = paying.slot;
        this.#look(account);
      }
      for (const { onChange } of account.entries) onChange?.(updates);
    });
    const account: PayingAccount = {
      entries: new Set(),
      stopWatch,
      holds: null,
      slot: 0n,
      isStale: false,
      isLooking: false,
    };
    this.#accounts.set(address, account);
    return account;
  }

  #look(account: PayingAccount): void {
    account.isStale = true;
    if (account.isLooking) return;
    this.#lookWhileStale(account).catch((error: unknown) => this.#onDefect('signed fills', error));
  }

  async #lookWhileStale(account: PayingAccount): Promise<void> {
    account.isLooking = true;
    try {
      while (account.isStale) {
        account.isStale = false;
        const signed = listSignedFills(account);
        // What the account lacks may have paid for a swap that has landed, unless all uncovered swaps are known
        // already.
        const isKnown = listUncoveredFills(account, signed).every(({ isCovered }) => !isCovered);
        const landed = isKnown ? new Set<string>() : await this.#landedOf(signed);
        // If the network does not answer, nothing changes.
        if (landed !== null) this.#mark(account, landed);
      }
    } finally {
      account.isLooking = false;
    }
  }

  async #landedOf(signed: readonly WatchedFillEntry[]): Promise<ReadonlySet<string> | null> {
    const signatures = signed.map(({ signature }) => signature);
    const statuses = await this.#chain.signatureStatuses(signatures).catch(toNullIfUnavailable);
    return statuses && new Set(signatures.filter((_, index) => statuses[index] != null));
  }

  #mark(account: PayingAccount, landed: ReadonlySet<string>): void {
    const signed = listSignedFills(account);
    const waiting = signed.filter(({ signature }) => !landed.has(signature));
    const uncovered = new Set(listUncoveredFills(account, waiting));
    for (const entry of signed) {
      entry.isCovered = !uncovered.has(entry);
      entry.claim?.setCovered(entry.isCovered);
      if (!entry.isCovered) this.#remember(entry, account.slot);
    }
  }

  #remember({ signature, message, claim }: WatchedFillEntry, slot: bigint): void {
    if (claim === null) return;
    const at = this.#timers.now();
    const since = this.#uncovered.get(signature)?.slot ?? slot;
    this.#uncovered.delete(signature);
    this.#uncovered.set(signature, { claim, message, at, slot: since });
    for (const [oldest, { at: since }] of this.#uncovered) {
      if (since + REMEMBERED_MS > at) break;
      this.#uncovered.delete(oldest);
    }
  }
}

function listSignedFills({ entries }: PayingAccount): readonly WatchedFillEntry[] {
  return [...entries].filter(({ claim }) => claim !== null);
}

/** The fills that the account does not cover after the older ones. A swap that is executed again counts once. */
function listUncoveredFills(
  { holds }: PayingAccount,
  fills: readonly WatchedFillEntry[],
): readonly WatchedFillEntry[] {
  if (holds === null) return [];
  const amounts = new Map(fills.map(({ signature, spending }) => [signature, spending.amount]));
  const covered = new Set<string>();
  let left = holds;
  for (const [signature, amount] of amounts) {
    if (amount > left) continue;
    left -= amount;
    covered.add(signature);
  }
  return fills.filter(({ signature }) => !covered.has(signature));
}
