import type { AccountUpdate } from '../../../../chain/accounts.ts';
import type { Chain } from '../../../../chain/chain.ts';
import type { SignedClaim } from '../../../../rfq/index.ts';
import type { Address } from '../../../../solana/address.ts';
import { ifUnavailable } from '../../../../transactions/submit/submit-and-read.ts';
import { payable, type Spending } from './open-fills.ts';

/** A fill whose taker's accounts are to be watched. */
export interface FillToWatch {
  readonly taker: Address;
  readonly spending: Spending;
  readonly signature: string;
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

interface Entry extends FillToWatch {
  /** Null until the maker has signed. */
  claim: SignedClaim | null;
  isCovered: boolean;
}

/** The account that pays, and the taker's wallet, which pays for accounts that the swap creates. */
interface PayingAccount {
  /** Oldest first. */
  readonly entries: Set<Entry>;
  readonly stopWatch: () => void;
  /** Atoms at the newest state; null until the first change, because the account was read before the offer. */
  holds: bigint | null;
  isStale: boolean;
  isLooking: boolean;
}

interface Uncovered {
  readonly claim: SignedClaim;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Milliseconds; longer than a fill can take from its offer to its end on chain. */
const REMEMBERED_MS = 300_000;

/**
 * Watches the accounts of takers, once for all fills that an account pays for, and notifies the claims of signed
 * fills of whether the account still covers them. The state is that at `processed`: with an older one, tokens could
 * be spent several times before that is visible. If such a state is dropped again, or a taker returns its tokens, the
 * worst outcome is that a swap fails on chain for lack of the maker's inventory, and the maker is not blamed for it.
 */
export class SignedFills {
  readonly #chain: Pick<Chain, 'watchAccounts' | 'signatureStatuses'>;
  readonly #now: () => number;
  readonly #onDefect: (where: string, error: unknown) => void;
  readonly #accounts = new Map<Address, PayingAccount>();
  /** The fills that were not covered at some time, by signature, the newest last. */
  readonly #uncovered = new Map<string, Uncovered>();

  constructor(
    chain: Pick<Chain, 'watchAccounts' | 'signatureStatuses'>,
    now: () => number,
    onDefect: (where: string, error: unknown) => void,
  ) {
    this.#chain = chain;
    this.#now = now;
    this.#onDefect = onDefect;
  }

  /** Watches the wallet of a taker and the account that pays for its fill. */
  watch(fill: FillToWatch): WatchedFill {
    const address = fill.spending.account;
    const account = this.#accounts.get(address) ?? this.#open(fill);
    const entry: Entry = { ...fill, claim: null, isCovered: true };
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
   * @returns the atoms that the maker has paid, up to the slot, in swaps that were uncovered for some time before
   *   they landed
   * @throws ChainUnavailable when the network does not answer
   */
  async landedAfterAll({ makerId, mint }: SignedClaim, slot: bigint): Promise<bigint> {
    const same = [...this.#uncovered].filter(
      ([, { claim }]) => claim.makerId === makerId && claim.mint === mint,
    );
    if (same.length === 0) return 0n;
    const statuses = await this.#chain.signatureStatuses(same.map(([signature]) => signature));
    return same.reduce((sum, [, { claim }], index) => {
      const status = statuses[index];
      return status != null && status.error === null && status.slot <= slot ? sum + claim.amount : sum;
    }, 0n);
  }

  #open({ taker, spending }: FillToWatch): PayingAccount {
    const { account: address } = spending;
    const stopWatch = this.#chain.watchAccounts([...new Set([taker, address])], (updates) => {
      const paying = updates.findLast((update) => update.address === address);
      if (paying !== undefined) {
        account.holds = payable(spending, paying.account);
        this.#look(account);
      }
      for (const { onChange } of account.entries) onChange?.(updates);
    });
    const account: PayingAccount = {
      entries: new Set(),
      stopWatch,
      holds: null,
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
        const signed = signedOf(account);
        // What the account lacks may have paid for a swap that has landed, unless all uncovered swaps are known
        // already.
        const isKnown = uncoveredOf(account, signed).every(({ isCovered }) => !isCovered);
        const landed = isKnown ? new Set<string>() : await this.#landedOf(signed);
        // If the network does not answer, nothing changes.
        if (landed !== null) this.#mark(account, landed);
      }
    } finally {
      account.isLooking = false;
    }
  }

  async #landedOf(signed: readonly Entry[]): Promise<ReadonlySet<string> | null> {
    const signatures = signed.map(({ signature }) => signature);
    const statuses = await this.#chain.signatureStatuses(signatures).catch(ifUnavailable);
    return statuses && new Set(signatures.filter((_, index) => statuses[index] != null));
  }

  #mark(account: PayingAccount, landed: ReadonlySet<string>): void {
    const signed = signedOf(account);
    const waiting = signed.filter(({ signature }) => !landed.has(signature));
    const uncovered = new Set(uncoveredOf(account, waiting));
    for (const entry of signed) {
      entry.isCovered = !uncovered.has(entry);
      entry.claim?.setCovered(entry.isCovered);
      if (!entry.isCovered) this.#remember(entry);
    }
  }

  #remember({ signature, claim }: Entry): void {
    if (claim === null) return;
    const at = this.#now();
    this.#uncovered.delete(signature);
    this.#uncovered.set(signature, { claim, at });
    for (const [oldest, { at: since }] of this.#uncovered) {
      if (since + REMEMBERED_MS > at) break;
      this.#uncovered.delete(oldest);
    }
  }
}

function signedOf({ entries }: PayingAccount): readonly Entry[] {
  return [...entries].filter(({ claim }) => claim !== null);
}

/** The fills that the account does not cover after the older ones. A swap that is executed again counts once. */
function uncoveredOf({ holds }: PayingAccount, fills: readonly Entry[]): readonly Entry[] {
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
