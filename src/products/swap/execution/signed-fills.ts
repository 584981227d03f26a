import type { Chain } from '../../../chain/chain.ts';
import type { SignedClaim } from '../../../rfq/index.ts';
import type { Address } from '../../../solana/address.ts';
import { ifUnavailable } from '../../../transactions/submit-and-read.ts';
import { payable, type Spending } from './open-fills.ts';

/** A swap over a watched account. Until `signed` is called, nobody is told anything of it. */
export interface WatchedFill {
  /** The maker has signed the swap: its claim is told from now on whether the account covers it. */
  signed(claim: SignedClaim): void;
  /** Ends the watching. May be called more than once. */
  close(): void;
}

interface Entry {
  readonly spending: Spending;
  readonly signature: string;
  /** Null until the maker has signed. */
  claim: SignedClaim | null;
  isCovered: boolean;
}

interface PayingAccount {
  /** Oldest first. */
  readonly entries: Set<Entry>;
  readonly stopWatch: () => void;
  /** Atoms by the newest state; null until a change was told of: the account was looked at before the offer. */
  holds: bigint | null;
  isStale: boolean;
  isLooking: boolean;
}

interface Uncovered {
  readonly claim: SignedClaim;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Longer than a fill can take from its offer to its end on chain. */
const REMEMBERED_MS = 300_000;

/**
 * The swaps that makers have signed, and whether the accounts that pay for them still cover them. States are those at
 * `processed`: with older ones, tokens could be passed on several times before anybody sees it. A state that is dropped
 * again, or a taker that brings its tokens back, at worst has a swap fail on chain for lack of the maker's inventory,
 * for which the maker is not blamed.
 */
export class SignedFills {
  readonly #chain: Pick<Chain, 'watchAccounts' | 'signatureStatuses'>;
  readonly #now: () => number;
  readonly #onDefect: (where: string, error: unknown) => void;
  readonly #accounts = new Map<Address, PayingAccount>();
  /** By signature, those that were uncovered at some time, the newest last. */
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

  /** Watches the account that pays for a swap. */
  watch(spending: Spending, signature: string): WatchedFill {
    const account = this.#accounts.get(spending.account) ?? this.#open(spending);
    const entry: Entry = { spending, signature, claim: null, isCovered: true };
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
          this.#accounts.delete(spending.account);
        }
      },
    };
  }

  /**
   * @returns atoms that the maker has paid, up to the slot, in swaps that were uncovered before they landed
   * @throws ChainUnavailable
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

  #open(spending: Spending): PayingAccount {
    const { account: address } = spending;
    const stopWatch = this.#chain.watchAccounts([address], (updates) => {
      for (const { account: state } of updates) account.holds = payable(spending, state);
      this.#look(account);
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
        // What the account lacks may have paid for a swap that has landed, unless it is known already that it did not.
        const isKnown = uncoveredOf(account, signed).every(({ isCovered }) => !isCovered);
        const landed = isKnown ? new Set<string>() : await this.#landedOf(signed);
        // A network that does not answer changes nothing.
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

/** Those that the account does not cover beside the older ones. A swap that is executed again counts once. */
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
