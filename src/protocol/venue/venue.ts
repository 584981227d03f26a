import type { Account, AccountFilter } from '../../chain/accounts.ts';
import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountMeta } from '../../solana/messages/instruction.ts';
import type { TransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';

/**
 * What a swap moves. `inAmount` leaves the user's account and `outAmount` arrives in it; both include transfer fees.
 */
export interface Quote {
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  /** What the pool and its owners keep, in atoms of `feeMint`. */
  readonly feeAmount: bigint;
  readonly feeMint: Address;
  /** What the step must carry so that its program pays this amount. Absent where the pool alone decides it. */
  readonly stepData?: Uint8Array;
}

/** The accounts of the user between which a step moves tokens. */
export interface SwapParties {
  readonly authority: Address;
  readonly source: Address;
  readonly destination: Address;
}

/** One step of an aggregator route plan, in the public per-venue form. */
export interface RouteStep {
  /** Borsh form of the aggregator's `Swap` variant: one tag byte and its payload. */
  readonly swap: Uint8Array;
  /** The venue's program, then its accounts in the order that the aggregator expects. */
  readonly accounts: readonly AccountMeta[];
}

/** Reads accounts as of one slot; null when an account does not exist. */
export type AccountReader = (address: Address) => Account | null;

/** The fields that every venue's decoded pool has. Venues extend it with their own state. */
export interface PoolState {
  readonly address: Address;
  readonly mints: readonly [Address, Address];
  /**
   * The fees that the mints withhold from each transfer into the pool and out of it, in the order of `mints`. Absent
   * where no transfer costs a fee.
   */
  readonly transferFees?: readonly [TransferFeeConfig | null, TransferFeeConfig | null];
}

/** What a pool holds for all its purposes, in the order of its mints, in atoms. */
export interface PoolReserves {
  readonly amounts: readonly [bigint, bigint];
  /** A number that changes with deposits and withdrawals of liquidity and never with a swap; 0 if the pool has none. */
  readonly shares: bigint;
  /** Whether a swap's fee, or a part of it, is taken out of the amounts. */
  readonly feesLeave: boolean;
}

/** Later than every schedule. Estimates for it are those of a pool that charges no more than it will in the end. */
export const SETTLED_CLOCK: ChainClock = { slot: 1n << 100n, epoch: 1n << 100n, unixTimestamp: 1n << 100n };

/** The names of a program's own errors. `names[0]` is the name of the code `firstCode`. */
export interface ProgramErrors {
  readonly program: Address;
  readonly names: readonly string[];
  readonly firstCode: number;
  /** What is known about some of the codes, in addition to their names, as sentences. Default: nothing. */
  readonly explanations?: ReadonlyMap<number, string>;
}

/** The first error code of a program that is built with Anchor. */
export const ANCHOR_FIRST_ERROR = 6000;

/** Why routes cannot use a pool now, as a sentence for logs and the admin interface. */
export interface Unusable {
  readonly unusable: string;
  /** Whether it can never be used again, so that it is forgotten. Default: no. */
  readonly isFinal?: true;
}

/**
 * A kind of on-chain liquidity. All functions are pure: state comes in as arguments. A quote is what the venue's
 * program would pay for that state and clock, to the atom, or null if the program would refuse the swap.
 *
 * @example
 * ```ts
 * import type { Quote, Venue } from './venue.ts';
 *
 * // Quotes one SOL over the first pool that a venue has decoded.
 * function quoteOneSol(venue: Venue, pool: ReturnType<Venue['decode']>): Quote | null {
 *   if ('unusable' in pool) return null;
 *   const clock = { slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n };
 *   return venue.quoteExactIn(pool, pool.mints[0], 1_000_000_000n, clock);
 * }
 * ```
 */
export interface Venue<State extends PoolState = PoolState> {
  /** The name that clients use in `dexes`, `excludeDexes` and `routePlan`. */
  readonly label: string;
  /** The program that owns the accounts of the pools. */
  readonly program: Address;
  /** The program that routes call, if it is not `program`. */
  readonly routeProgram?: Address;

  isPool(account: Account): boolean;
  /** A filter that all accounts for which `isPool` holds pass, and few others of the program. */
  readonly poolFilter?: AccountFilter;
  /**
   * Returns the accounts that `decode` reads in addition to the pool's own. It is called where `isPool` holds. Where it throws, there
   * are none, and `decode` says why.
   */
  dependencies(address: Address, account: Account): readonly Address[];
  /**
   * Returns further accounts that `decode` reads, which only those of `dependencies` name. It is called before `decode`, and returns
   * none while what names them is not read. Default: there are none.
   */
  furtherDependencies?(account: Account, read: AccountReader): readonly Address[];
  /**
   * Whether the result of `dependencies` changes with the pool's account. If absent, it is computed only once for each
   * pool.
   */
  readonly dependenciesMove?: boolean;
  decode(address: Address, read: AccountReader): State | Unusable;
  /**
   * Computes what `decode` would return after one account has changed, where that takes less work. Null if it takes
   * `decode`.
   */
  advance?(pool: State, address: Address, account: Account): State | null;

  /**
   * Whether the venue trades whole lots of a limited offer only. A remainder of the input that is less than a lot stays
   * with the user.
   */
  readonly wholeLots?: boolean;
  /**
   * Whether the venue's program pays accounts of the signing user only, so that an output for somebody else has to be handed
   * on by the user. Default: it pays any account.
   */
  readonly paysUserOnly?: boolean;
  /**
   * @param inputMint - One of the pool's two mints.
   * @param amount - Atoms of `inputMint`.
   * @param amountMayDiffer - Whether an earlier step pays the amount, so that it may differ when the step runs.
   * @returns null if the program would refuse the swap
   */
  quoteExactIn(
    pool: State,
    inputMint: Address,
    amount: bigint,
    clock: ChainClock,
    amountMayDiffer?: boolean,
  ): Quote | null;
  /**
   * @param amount - Atoms of the other mint, which the pool shall pay.
   * @returns null if the program would refuse the swap
   */
  quoteExactOut(pool: State, inputMint: Address, amount: bigint, clock: ChainClock): Quote | null;

  /**
   * Returns the state of a pool after a swap in another pool of the venue, with which it may have accounts in common. Default: no
   * pool changes with another.
   *
   * @param other - The state of the other pool before the swap.
   * @param quote - What the swap moves.
   */
  afterSwap?(pool: State, other: State, inputMint: Address, quote: Quote): State;

  /**
   * Estimates in floating point what the pool pays at the clock's time for `amount` atoms that have arrived in it. Prices and
   * depths are measured by it. What transfers withhold on the way in and out is not part of it: see `estimateReceived`. The
   * estimate rises with the amount, ever more slowly. It is 0 where nothing is paid, such as beyond a limited offer, and before
   * a pool opens.
   */
  estimate(pool: State, inputMint: Address, amount: number, clock: ChainClock): number;

  /**
   * Returns the accounts that hold the pool's tokens, in the order of `mints`. A token that the venue itself issues has no
   * such account, and its mint stands for it. Trades are read from what flows in and out there.
   */
  vaults?(pool: State): readonly [Address, Address];
  /**
   * Returns what the pool holds, to which a swap adds its input and from which it takes its output, apart from fees. Where
   * transactions cannot be read, trades are found by changes of it. Returns null for a pool whose swaps do more than that.
   * Default: null for every pool.
   */
  reserves?(pool: State): PoolReserves | null;
  /**
   * Whether the venue issues the second of its tokens for deposits of the first. Those are trades only within routes.
   * Default: no.
   */
  readonly isIssuer?: boolean;
  /**
   * Whether a token that the venue issues is a receipt for the deposit. Where no pool trades it for dollars or SOL, it is
   * worth what the venue redeems it for. Default: no.
   */
  readonly issuesReceipts?: boolean;

  /**
   * Whether a pool of the venue, and the token that it issues, exist for minutes only. Prices, statistics and lists of tokens leave
   * out such pools, so that nothing is kept of each. Default: no.
   */
  readonly isShortLived?: boolean;

  /** Returns the Unix second since which a pool can be traded; null, as by default, if its accounts do not tell. */
  openedAt?(pool: State): bigint | null;

  /**
   * The most instructions that a swap runs: the venue's own and those that it calls. Default: the venue's own and two
   * transfers.
   */
  calls?(pool: State): number;

  /**
   * Whether the pool now limits how often the mint is sold to it. Its program then refuses such a swap after an earlier one of either
   * direction in the same transaction, after an earlier instruction that names the pool, and one whose program, such as the
   * aggregator, is not called by the transaction itself. Default: never.
   */
  isOncePerTransaction?(pool: State, inputMint: Address, clock: ChainClock): boolean;

  /**
   * Returns the pool as the aggregator's instructions for an exact output see it, for swaps of `inputMint`, or null if they
   * cannot swap there now. They work out what a step takes, which the public program does for few venues. Absent for all
   * others.
   */
  forExactOut?(pool: State, inputMint: Address): State | null;

  /** @param quote - What `quoteExactIn` returned for the step. Required if it has `stepData`. */
  routeStep(pool: State, inputMint: Address, parties: SwapParties, quote?: Quote): RouteStep;
}

/** The part of a venue that the router needs, wherever the venue's pools come from. */
export type Trading<State extends PoolState = PoolState> = Pick<
  Venue<State>,
  | 'label'
  | 'program'
  | 'wholeLots'
  | 'paysUserOnly'
  | 'quoteExactIn'
  | 'quoteExactOut'
  | 'afterSwap'
  | 'estimate'
  | 'openedAt'
  | 'calls'
  | 'isOncePerTransaction'
  | 'forExactOut'
  | 'routeStep'
  | 'isIssuer'
  | 'issuesReceipts'
  | 'isShortLived'
>;

/**
 * Returns an object that has the same shape for every venue, so that V8 finds its functions faster. They are called
 * very often.
 */
export function toTrading<State extends PoolState>(venue: Trading<State>): Trading<State> {
  const { label, program, wholeLots = false, quoteExactIn, quoteExactOut, estimate, routeStep } = venue;
  const { paysUserOnly = false, afterSwap = keepPool } = venue;
  const { openedAt = notTold, calls = callAndTransfers, forExactOut = never } = venue;
  const { isOncePerTransaction = isFalse } = venue;
  const { isIssuer = false, issuesReceipts = false, isShortLived = false } = venue;
  return {
    label,
    program,
    wholeLots,
    paysUserOnly,
    quoteExactIn,
    quoteExactOut,
    afterSwap,
    estimate,
    openedAt,
    calls,
    isOncePerTransaction,
    routeStep,
    isIssuer,
    issuesReceipts,
    isShortLived,
    forExactOut,
  };
}

/** Returns the most instructions that a swap over the pool runs. */
export function countSwapCalls<State extends PoolState>(
  { calls = callAndTransfers }: Trading<State>,
  pool: State,
): number {
  return calls(pool);
}

function notTold(): null {
  return null;
}

function keepPool<State>(pool: State): State {
  return pool;
}

function never(): null {
  return null;
}

function isFalse(): boolean {
  return false;
}

function callAndTransfers(): number {
  return 3;
}

/** Returns the venues' labels by the program that routes call. */
export function venueLabels(venues: readonly Venue[]): Readonly<Record<Address, string>> {
  return Object.fromEntries(
    venues.map(({ program, routeProgram, label }) => [routeProgram ?? program, label]),
  );
}
