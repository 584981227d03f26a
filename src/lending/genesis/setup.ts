import type { GenesisKeys } from '../../genesis/keys.ts';
import { atomsWorth } from '../../genesis/prices.ts';
import { genesisToken, type TokenInfo } from '../../genesis/tokens.ts';
import type { Address } from '../../solana/address.ts';
import { lendingAddress } from '../earn/addresses.ts';
import { FLASHLOAN_ADMIN } from '../flashloan/instructions.ts';
import { type PlannedEarnToken, PLANNED_EARN_TOKENS } from './plan.ts';

/** A curve with two kinks, in 10,000ths. */
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
  /** Of 10,000. */
  readonly feeOnInterest: number;
  readonly maxUtilization: number;
}

/** Limits of a protocol's supply position. Percents of 10,000, seconds, and an amount that is raw. */
export interface SupplyTerms {
  readonly expandPercent: number;
  readonly expandDuration: number;
  readonly baseWithdrawalLimit: bigint;
}

/** Limits of a protocol's borrow position. */
export interface BorrowTerms {
  readonly expandPercent: number;
  readonly expandDuration: number;
  readonly baseDebtCeiling: bigint;
  readonly maxDebtCeiling: bigint;
}

export interface RewardTerms {
  /** Atoms in all. */
  readonly amount: bigint;
  /** Seconds. */
  readonly duration: bigint;
  readonly startTvl: bigint;
}

/**
 * What an operator does to set up the lending programs. Times are Unix seconds, and never fall for the same token. The
 * genesis carries it out on models of the accounts, and a test by the programs themselves.
 */
export interface LendingSetup {
  addReserve(token: TokenInfo, terms: ReserveTerms, at: bigint): void;
  /** Lets a protocol supply, and borrow if there are terms for it. */
  admit(
    protocol: Address,
    token: TokenInfo,
    supply: SupplyTerms,
    borrow: BorrowTerms | null,
    at: bigint,
  ): void;
  /** Adds an earn token. Its lending must be admitted before anybody deposits. */
  addLending(token: TokenInfo, at: bigint): void;
  startRewards(token: TokenInfo, terms: RewardTerms, at: bigint): void;
  deposit(owner: Address, token: TokenInfo, assets: bigint, at: bigint): void;
  /** Pays what is borrowed to the protocol's own associated token account. */
  borrow(protocol: Address, token: TokenInfo, amount: bigint, at: bigint): void;
}

const DAY = 86_400n;
/** How long before the network begins its lending programs were set up. */
const SET_UP_BEFORE = 120n * DAY;
const REWARDS_START_BEFORE = 30n * DAY;
const REWARDS_DURATION = 365n * DAY;
const LAST_BORROW_BEFORE = 7n * DAY;

const HOURS = 3_600;

/**
 * Sets up every earn token of the plan, with deposits of others, a protocol that borrows, rewards, and positions of the
 * demo wallets, over the months before the network begins.
 *
 * @param foundedAt - Unix seconds at which the network begins.
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
  const token = genesisToken(plan.symbol);
  const lending = lendingAddress(token.mint).address;
  const begun = foundedAt - SET_UP_BEFORE;
  const [supplied, borrowed] = [plan.supplied, plan.borrowed].map((usd) => atomsWorth(usd, token)) as [
    bigint,
    bigint,
  ];
  setup.addReserve(token, plan, begun);
  setup.addLending(token, begun);
  const supplyTerms = {
    expandPercent: 2_000,
    expandDuration: 6 * HOURS,
    baseWithdrawalLimit: atomsWorth(plan.supplied / 20n, token),
  };
  setup.admit(lending, token, supplyTerms, null, begun);
  setup.admit(FLASHLOAN_ADMIN.address, token, supplyTerms, flashloanTermsOf(plan, token), begun);
  if (plan.borrowed > 0n)
    setup.admit(borrower.address, token, supplyTerms, borrowTermsOf(plan, token), begun);
  setup.deposit(lender.address, token, (supplied * 4n) / 5n, begun);
  if (borrowed > 0n) setup.borrow(borrower.address, token, (borrowed * 3n) / 4n, begun);
  for (const { wallet, usd, daysBefore } of plan.positions) {
    const owner = demoWallets[wallet];
    if (owner === undefined) throw new Error(`the genesis has no demo wallet ${wallet}`);
    setup.deposit(owner.address, token, atomsWorth(usd, token), foundedAt - daysBefore * DAY);
  }
  if (plan.yearlyRewards !== null) {
    const rewards = {
      amount: atomsWorth(plan.yearlyRewards, token),
      duration: REWARDS_DURATION,
      startTvl: 1n,
    };
    setup.startRewards(token, rewards, foundedAt - REWARDS_START_BEFORE);
  }
  setup.deposit(lender.address, token, supplied / 5n, foundedAt - LAST_BORROW_BEFORE);
  if (borrowed > 0n) setup.borrow(borrower.address, token, borrowed / 4n, foundedAt - LAST_BORROW_BEFORE);
}

/** Loans of one transaction of everything that the lenders supplied, as far as the reserve may be used up. */
function flashloanTermsOf({ supplied }: PlannedEarnToken, token: TokenInfo): BorrowTerms {
  const ceiling = atomsWorth(supplied, token);
  return {
    expandPercent: 0,
    expandDuration: 1,
    baseDebtCeiling: ceiling,
    maxDebtCeiling: ceiling + 1n,
  };
}

function borrowTermsOf({ borrowed }: PlannedEarnToken, token: TokenInfo): BorrowTerms {
  return {
    expandPercent: 3_000,
    expandDuration: 12 * HOURS,
    baseDebtCeiling: atomsWorth(borrowed * 2n, token),
    maxDebtCeiling: atomsWorth(borrowed * 4n, token),
  };
}
