import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { Route } from '../../market/router/index.ts';
import { countSwapCalls } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { ASSOCIATED_TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { Assembly } from './assembly.ts';
import { collectPassedMints } from './route-costs.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';

/** The network's limit on instructions in a transaction, including those that programs call. */
export const MAX_INSTRUCTIONS = 64;

/** Events per step: the instructions of `V1` emit one call for each step, those of `V2` a single call for all. */
const EVENT_PER_STEP: Readonly<Record<InstructionVersion, number>> = { V1: 1, V2: 0 };
/** Creating an account: the instruction, and its calls for size, account, owner and initialization. */
const PER_ACCOUNT = 5;
/** Closing one again, and one more: withheld fees are harvested first, or a payer gets lent rent back afterwards. */
const PER_CLOSING = 2;
/** Two compute-budget instructions, the swap, its event or its fee, a tip, and what secures a payer's rent. */
const REST = 7;
/** Wrapping SOL: a transfer, a sync, and the closing. */
const WRAPPING = 3;

/** An output for another wallet: an account of the taker's, the transfer out of it, and its closing. */
export const INTERMEDIATE_ACCOUNT_INSTRUCTIONS = PER_ACCOUNT + 1 + PER_CLOSING;

/**
 * Two compute-budget instructions (or one and a tip), the swap, its event for all steps, and the transfer at each
 * end.
 */
const SHARED_REST: Readonly<Record<InstructionVersion, number>> = { V1: 5, V2: 6 };
/** The fee's transfer and its event. */
const FEE = 2;

/** Counts the instructions of an assembly with shared accounts if every account of its setup has to be created. */
export function countSharedInstructions(
  { legs }: Route,
  { version, hasFee }: { readonly version: InstructionVersion; readonly hasFee: boolean },
  { setup, cleanup }: Assembly,
): number {
  const opening = setup.filter(({ programAddress }) => OPENING.has(programAddress)).length;
  const around = setup.length - opening + (cleanup === null ? 0 : 1) + (hasFee ? FEE : 0);
  return countStepInstructions(legs, version) + opening * PER_ACCOUNT + around + SHARED_REST[version];
}

/** Programs whose instructions in a setup create accounts. */
const OPENING: ReadonlySet<Address> = new Set([ASSOCIATED_TOKEN_PROGRAM, AGGREGATOR_PROGRAM]);

/**
 * Yields the routes that fit the limit on instructions, whatever accounts they create.
 * @param others - Counts instructions beyond those of the route itself; default: there are none.
 */
export function* filterRunnable(
  routes: Iterable<Route>,
  version: InstructionVersion,
  others: (route: Route) => number = () => 0,
): Iterable<Route> {
  for (const route of routes) {
    if (countInstructions(route, version) + others(route) <= MAX_INSTRUCTIONS) yield route;
  }
}

/** Counts the instructions of a swap along the route if none of the accounts that it uses exists yet. */
function countInstructions(route: Route, version: InstructionVersion): number {
  const { legs } = route;
  const steps = countStepInstructions(legs, version);
  // Each step creates at most one account, and the source may be another, so short routes need no exact count.
  const most = steps + legs.length * (PER_ACCOUNT + PER_CLOSING) + PER_ACCOUNT + REST + WRAPPING;
  if (most <= MAX_INSTRUCTIONS) return most;
  const opened = new Set(legs.map(({ outputMint }) => outputMint));
  const between = collectPassedMints(route).size;
  const wraps = legs[0]?.inputMint === WRAPPED_SOL_MINT || opened.has(WRAPPED_SOL_MINT);
  if (legs[0]?.inputMint === WRAPPED_SOL_MINT) opened.add(WRAPPED_SOL_MINT);
  return steps + opened.size * PER_ACCOUNT + between * PER_CLOSING + REST + (wraps ? WRAPPING : 0);
}

function countStepInstructions(legs: Route['legs'], version: InstructionVersion): number {
  let steps = legs.length * EVENT_PER_STEP[version];
  for (const { handle } of legs) steps += countSwapCalls(handle.venue, handle.pool);
  return steps;
}
