import { AGGREGATOR_PROGRAM } from '../../../market/aggregator/program.ts';
import type { Route } from '../../../market/router/index.ts';
import { callsOf } from '../../../market/venue.ts';
import type { Address } from '../../../solana/address.ts';
import { ASSOCIATED_TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Assembly } from './assembly.ts';
import type { InstructionVersion } from './forms.ts';

/** A transaction runs no more instructions than this, those that programs call included. */
export const MAX_INSTRUCTIONS = 64;

/** The older instructions tell of each step by a call, the newer ones of all together. */
const EVENT_PER_STEP: Readonly<Record<InstructionVersion, number>> = { V1: 1, V2: 0 };
/** The instruction, and its calls for size, account, owner and initialization. */
const PER_ACCOUNT = 5;
/** Two of the compute budget, the swap, its event or its fee, and a tip. */
const REST = 6;
/** A transfer, its taking note, and the closing. */
const WRAPPING = 3;

/** An account of the taker's for what another receives, and the transfer to that. */
export const HANDING_ON = PER_ACCOUNT + 1;

/** Two of the compute budget or one with a tip, the swap, what it tells of all steps, and the tokens' move at each end. */
const SHARED_REST: Readonly<Record<InstructionVersion, number>> = { V1: 5, V2: 6 };
/** Its transfer and its event. */
const FEE = 2;

/** How many instructions an assembly runs that leads through shared accounts and opens all that its setup creates. */
export function sharedInstructions(
  { legs }: Route,
  { version, hasFee }: { readonly version: InstructionVersion; readonly hasFee: boolean },
  { setup, cleanup }: Assembly,
): number {
  const opening = setup.filter(({ programAddress }) => OPENING.has(programAddress)).length;
  const around = setup.length - opening + (cleanup === null ? 0 : 1) + (hasFee ? FEE : 0);
  return stepsOf(legs, version) + opening * PER_ACCOUNT + around + SHARED_REST[version];
}

/** Programs whose instructions in a setup open accounts. */
const OPENING: ReadonlySet<Address> = new Set([ASSOCIATED_TOKEN_PROGRAM, AGGREGATOR_PROGRAM]);

/** The routes that run in one transaction, whatever accounts they open, beside `others`. */
export function* runnable(routes: Iterable<Route>, version: InstructionVersion, others = 0): Iterable<Route> {
  for (const route of routes) {
    if (instructionsOf(route, version) + others <= MAX_INSTRUCTIONS) yield route;
  }
}

/** How many instructions a swap along the route runs at most, when none of the accounts that it opens exists yet. */
function instructionsOf({ legs }: Route, version: InstructionVersion): number {
  const steps = stepsOf(legs, version);
  // Each step opens one account at most, and the source may be one more: short routes need no closer look.
  const most = steps + legs.length * PER_ACCOUNT + PER_ACCOUNT + REST + WRAPPING;
  if (most <= MAX_INSTRUCTIONS) return most;
  const opened = new Set(legs.map(({ outputMint }) => outputMint));
  const wraps = legs[0]?.inputMint === WRAPPED_SOL_MINT || opened.has(WRAPPED_SOL_MINT);
  if (legs[0]?.inputMint === WRAPPED_SOL_MINT) opened.add(WRAPPED_SOL_MINT);
  return steps + opened.size * PER_ACCOUNT + REST + (wraps ? WRAPPING : 0);
}

function stepsOf(legs: Route['legs'], version: InstructionVersion): number {
  let steps = legs.length * EVENT_PER_STEP[version];
  for (const { market } of legs) steps += callsOf(market.venue, market.pool);
  return steps;
}
