import type { Route } from '../market/router/index.ts';
import { WRAPPED_SOL_MINT } from '../solana/programs.ts';
import type { InstructionVersion } from './v1/forms.ts';

/** A transaction runs no more instructions than this, those that programs call included. */
const MOST_INSTRUCTIONS = 64;

/** A step calls its venue, which moves two tokens; the older instructions tell of each step by one more call. */
const PER_STEP: Readonly<Record<InstructionVersion, number>> = { V1: 4, V2: 3 };
/** The instruction, and its calls for size, account, owner and initialization. */
const PER_ACCOUNT = 5;
/** Two of the compute budget, the swap, its event or its fee, and a tip. */
const REST = 6;
/** A transfer, its taking note, and the closing. */
const WRAPPING = 3;

/** An account of the taker's for what another receives, and the transfer to that. */
export const HANDING_ON = PER_ACCOUNT + 1;

/** The routes that run in one transaction, whatever accounts they open, beside `others`. */
export function* runnable(routes: Iterable<Route>, version: InstructionVersion, others = 0): Iterable<Route> {
  for (const route of routes) {
    if (instructionsOf(route, version) + others <= MOST_INSTRUCTIONS) yield route;
  }
}

/** How many instructions a swap along the route runs at most, when none of the accounts that it opens exists yet. */
function instructionsOf({ legs }: Route, version: InstructionVersion): number {
  // Each step opens one account at most, and the source may be one more: short routes need no closer look.
  const most = legs.length * (PER_STEP[version] + PER_ACCOUNT) + PER_ACCOUNT + REST + WRAPPING;
  if (most <= MOST_INSTRUCTIONS) return most;
  const opened = new Set(legs.map(({ outputMint }) => outputMint));
  const wraps = legs[0]?.inputMint === WRAPPED_SOL_MINT || opened.has(WRAPPED_SOL_MINT);
  if (legs[0]?.inputMint === WRAPPED_SOL_MINT) opened.add(WRAPPED_SOL_MINT);
  return legs.length * PER_STEP[version] + opened.size * PER_ACCOUNT + REST + (wraps ? WRAPPING : 0);
}
