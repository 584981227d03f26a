import type { GenesisKeys } from '../../../protocol/genesis/keys.ts';
import { computeAtomsWorth } from '../../../protocol/genesis/prices.ts';
import { getGenesisToken, type TokenInfo } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveLendingAddress } from '../lending/addresses.ts';
import { FLASHLOAN_ADMIN } from '../flashloan/instructions.ts';
import { type PlannedEarnToken, PLANNED_EARN_TOKENS } from './plan.ts';

/** A rate curve with two kinks, in basis points. */
export interface RateCurve {
  readonly atZero: number;
  readonly kink1: number;
  readonly atKink1: number;
  readonly kink2: number;
  readonly atKink2: number;
  readonly atMax: number;
}

export interface ReserveTerms {
  readonly rates: RateCurve;
  /** Basis points. */
  readonly feeOnInterest: number;
  readonly maxUtilization: number;
}

/** The limits of a protocol's supply position: basis points, seconds, and a raw amount. */
export interface SupplyTerms {
  readonly expandPercent: number;
  readonly expandDuration: number;
  readonly baseWithdrawalLimit: bigint;
}

/** The limits of a protocol's borrow position. */
export interface BorrowTerms {
  readonly expandPercent: number;
  readonly expandDuration: number;
  readonly baseDebtCeiling: bigint;
  readonly maxDebtCeiling: bigint;
}

export interface RewardTerms {
  /** The total in atoms. */
  readonly amount: bigint;
  /** Seconds. */
  readonly duration: bigint;
  readonly startTvl: bigint;
}

/**
 * The steps that set up the lending programs. Times are Unix seconds, and never decrease for the same token. The genesis
 * applies the steps to models of the accounts, and a test executes them with the programs.
 */
export interface LendingSetup {
  addReserve(token: TokenInfo, terms: ReserveTerms, at: bigint): void;
  /** Allows a protocol to supply, and to borrow if terms for that are given. */
  admit(
    protocol: Address,
    token: TokenInfo,
    supply: SupplyTerms,
    borrow: BorrowTerms | null,
    at: bigint,
  ): void;
  /** Adds an earn token. Its lending must be admitted before the first deposit. */
  addLending(token: TokenInfo, at: bigint): void;
  startRewards(token: TokenInfo, terms: RewardTerms, at: bigint): void;
  deposit(owner: Address, token: TokenInfo, assets: bigint, at: bigint): void;
  /** Borrows for a protocol, whose associated token account receives the tokens. */
  borrow(protocol: Address, token: TokenInfo, amount: bigint, at: bigint): void;
}

const DAY = 86_400n;
/** How long before the start of the network its lending programs were set up. */
const SET_UP_BEFORE = 120n * DAY;
const REWARDS_START_BEFORE = 30n * DAY;
const REWARDS_DURATION = 365n * DAY;
const LAST_BORROW_BEFORE = 7n * DAY;

const HOURS = 3_600;

/**
 * Sets up every earn token of the plan, with deposits, a protocol that borrows, rewards, and positions of the demo
 * wallets, over the months before the network begins.
 *
 * @param foundedAt - Unix seconds at which the network begins.
 *
 * @example
 * ```ts
 * import { DEFAULT_SEED, deriveGenesisKeys } from '../../../protocol/genesis/keys.ts';
 * import { LendingBook } from './book.ts';
 * import { setUpEarn } from './setup.ts';
 *
 * const book = new LendingBook();
 * setUpEarn(book, deriveGenesisKeys(DEFAULT_SEED), 1_800_000_000n);
 * book.reserves().length; // one for each earn token
 * ```
 */
export function setUpEarn(setup: LendingSetup, keys: GenesisKeys, foundedAt: bigint): void {
  for (const plan of PLANNED_EARN_TOKENS) setUpToken(setup, plan, keys, foundedAt);
}

function setUpToken(
  setup: LendingSetup,
  plan: PlannedEarnToken,
  { lender, borrower, demoWallets }: GenesisKeys,
  foundedAt: bigint,
): void {
  const token = getGenesisToken(plan.symbol);
  const lending = deriveLendingAddress(token.mint).address;
  const begun = foundedAt - SET_UP_BEFORE;
  const [supplied, borrowed] = [plan.supplied, plan.borrowed].map((usd) => computeAtomsWorth(usd, token)) as [
    bigint,
    bigint,
  ];
  setup.addReserve(token, plan, begun);
  setup.addLending(token, begun);
  const supplyTerms = {
    expandPercent: 2_000,
    expandDuration: 6 * HOURS,
    baseWithdrawalLimit: computeAtomsWorth(plan.supplied / 20n, token),
  };
  setup.admit(lending, token, supplyTerms, null, begun);
  setup.admit(FLASHLOAN_ADMIN.address, token, supplyTerms, createFlashloanTerms(plan, token), begun);
  if (plan.borrowed > 0n)
    setup.admit(borrower.address, token, supplyTerms, createBorrowTerms(plan, token), begun);
  setup.deposit(lender.address, token, (supplied * 4n) / 5n, begun);
  if (borrowed > 0n) setup.borrow(borrower.address, token, (borrowed * 3n) / 4n, begun);
  for (const { wallet, usd, daysBefore } of plan.positions) {
    const owner = demoWallets[wallet];
    if (owner === undefined) throw new Error(`the genesis has no demo wallet ${wallet}`);
    setup.deposit(owner.address, token, computeAtomsWorth(usd, token), foundedAt - daysBefore * DAY);
  }
  if (plan.yearlyRewards !== null) {
    const rewards = {
      amount: computeAtomsWorth(plan.yearlyRewards, token),
      duration: REWARDS_DURATION,
      startTvl: 1n,
    };
    setup.startRewards(token, rewards, foundedAt - REWARDS_START_BEFORE);
  }
  setup.deposit(lender.address, token, supplied / 5n, foundedAt - LAST_BORROW_BEFORE);
  if (borrowed > 0n) setup.borrow(borrower.address, token, borrowed / 4n, foundedAt - LAST_BORROW_BEFORE);
}

/** Returns terms that allow flash loans of all supplied tokens, up to the maximum utilisation of the reserve. */
function createFlashloanTerms({ supplied }: PlannedEarnToken, token: TokenInfo): BorrowTerms {
  const ceiling = computeAtomsWorth(supplied, token);
  return {
    expandPercent: 0,
    expandDuration: 1,
    baseDebtCeiling: ceiling,
    maxDebtCeiling: ceiling + 1n,
  };
}

function createBorrowTerms({ borrowed }: PlannedEarnToken, token: TokenInfo): BorrowTerms {
  return {
    expandPercent: 3_000,
    expandDuration: 12 * HOURS,
    baseDebtCeiling: computeAtomsWorth(borrowed * 2n, token),
    maxDebtCeiling: computeAtomsWorth(borrowed * 4n, token),
  };
}
