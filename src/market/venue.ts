import type { Account, AccountFilter, ChainClock } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import type { AccountMeta } from '../solana/messages/instruction.ts';
import type { VenueGenesis } from './venue-genesis.ts';

/** What a swap moves: `inAmount` leaves the user's account, `outAmount` arrives in it, transfer fees included. */
export interface Quote {
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  /** What the pool and its owners keep, in atoms of `feeMint`. */
  readonly feeAmount: bigint;
  readonly feeMint: Address;
  /** What the step must carry so that its program pays this, where the pool alone does not decide it. */
  readonly stepData?: Uint8Array;
}

/** The accounts of the user that a step moves tokens between. */
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

/** What every venue's decoded pool has; venues extend it with their own state. */
export interface PoolState {
  readonly address: Address;
  readonly mints: readonly [Address, Address];
}

/** The names of a program's own errors: `names[0]` is the name of the code `firstCode`. */
export interface ProgramErrors {
  readonly program: Address;
  readonly names: readonly string[];
  readonly firstCode: number;
}

/** The first code of a program that is made with Anchor. */
export const ANCHOR_FIRST_ERROR = 6000;

/** Why a pool takes no part in routes at present, as a sentence for logs and the admin interface. */
export interface Unusable {
  readonly unusable: string;
}

/**
 * A kind of on-chain liquidity. Pure: all state comes in as arguments.
 * A quote is what the venue's program would pay at that state and clock, to the atom; null when it would refuse.
 */
export interface Venue<State extends PoolState = PoolState> {
  /** As clients know it, in `dexes`, `excludeDexes` and `routePlan`. */
  readonly label: string;
  /** Owns the pools' accounts. */
  readonly program: Address;
  /** What routes call, where that is another program. */
  readonly routeProgram?: Address;
  /** The names of the error codes of the venue's programs. */
  readonly errors: readonly ProgramErrors[];
  /** What the embedded network has of the venue. A venue without it has pools on other networks only. */
  readonly genesis?: VenueGenesis;

  isPool(account: Account): boolean;
  /** What every account that `isPool` has, and few others of the program. */
  readonly poolFilter?: AccountFilter;
  /** The accounts besides the pool's own that `decode` reads. */
  dependencies(address: Address, account: Account): readonly Address[];
  /** Whether `dependencies` answers differently as the pool's account changes; without it, it is asked only once. */
  readonly dependenciesMove?: boolean;
  decode(address: Address, read: AccountReader): State | Unusable;
  /**
   * What `decode` would answer now that one of the accounts has changed and no other, where that takes less work;
   * null: it takes `decode`.
   */
  advance?(pool: State, address: Address, account: Account): State | null;

  /** Trades whole lots of a limited offer: a rest of the input, less than a lot, stays with the user. */
  readonly wholeLots?: boolean;
  /**
   * @param fed the amount may be another when the step runs, because an earlier step pays it
   */
  quoteExactIn(
    pool: State,
    inputMint: Address,
    amount: bigint,
    clock: ChainClock,
    fed?: boolean,
  ): Quote | null;
  quoteExactOut(pool: State, inputMint: Address, amount: bigint, clock: ChainClock): Quote | null;

  /**
   * About what `amount` atoms pay, in floating point: it ranks candidates and shapes splits, which are then quoted
   * exactly. Rises with the amount, ever more slowly; 0 where nothing is paid, such as beyond a limited offer.
   */
  estimate(pool: State, inputMint: Address, amount: number): number;

  /** Instructions that a swap runs at most, the venue's own and those that it calls; that and two transfers when absent. */
  calls?(pool: State): number;

  /** @param quote of `quoteExactIn` for the step; where that has `stepData`, it must be given */
  routeStep(pool: State, inputMint: Address, parties: SwapParties, quote?: Quote): RouteStep;
}

/** What the router needs of a venue, wherever its pools come from. */
export type Trading<State extends PoolState = PoolState> = Pick<
  Venue<State>,
  'label' | 'program' | 'wholeLots' | 'quoteExactIn' | 'quoteExactOut' | 'estimate' | 'calls' | 'routeStep'
>;

/** An object of the same shape for every venue: what is called very often on many venues is found at once in it. */
export function tradingOf<State extends PoolState>(venue: Trading<State>): Trading<State> {
  const { label, program, wholeLots = false, quoteExactIn, quoteExactOut, estimate, routeStep } = venue;
  const { calls = callAndTransfers } = venue;
  return { label, program, wholeLots, quoteExactIn, quoteExactOut, estimate, calls, routeStep };
}

/** Instructions that a swap over the pool runs at most. */
export function callsOf<State extends PoolState>(
  { calls = callAndTransfers }: Trading<State>,
  pool: State,
): number {
  return calls(pool);
}

function callAndTransfers(): number {
  return 3;
}

/** The label of each program that routes call. */
export function venueLabels(venues: readonly Venue[]): Readonly<Record<Address, string>> {
  return Object.fromEntries(
    venues.map(({ program, routeProgram, label }) => [routeProgram ?? program, label]),
  );
}
