import type { Address } from '../../solana/address.ts';
import { type MessageMeasure, measureMessage } from '../../solana/messages/compile-message.ts';
import {
  MAX_COMPUTE_UNITS,
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { MAX_ACCOUNTS } from '../../solana/messages/message-accounts.ts';
import { MAX_TRANSACTION_BYTES, computeTransactionSize } from '../../solana/messages/transaction.ts';
import { listCleanupInstructions, listGuards, signForTaker } from './around-swap.ts';
import type { Assembly } from './assembly.ts';
import type { SwapTerms } from './swap-terms.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { Route } from '../../market/router/index.ts';
import { countSwapCalls } from '../../protocol/venue/venue.ts';
import { ASSOCIATED_TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { collectPassedMints } from './route-costs.ts';
import type { RefusalSentence } from '../refusals.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';

/** Compute-budget instructions that the caller adds or replaces. Their values do not change the size. */
const BUDGET = [setComputeUnitLimit(MAX_COMPUTE_UNITS), setComputeUnitPrice(0n)];

/** Why the transaction of an assembly would be invalid. */
export interface LimitViolation {
  readonly reason: RefusalSentence;
  /**
   * The kind of limit, to find which of several violations is closest to fitting: bytes before accounts before
   * `maxAccounts` before anything else.
   */
  readonly rank: 0 | 1 | 2 | 3;
  /** Compares violations of the same rank: the lower, the closer. */
  readonly needs: number;
}

/** Space that is left free in a transaction for what its caller may add. */
export interface Headroom {
  readonly accounts: number;
  readonly bytes: number;
}

export const NO_HEADROOM: Headroom = { accounts: 0, bytes: 0 };

/** Returns null when the transaction fits with `spare` left free. */
export function findLimitViolation(
  assembly: Assembly,
  request: SwapTerms,
  spare = NO_HEADROOM,
): LimitViolation | null {
  if (assembly.innerAccounts > request.maxAccounts) return createMaxAccountsViolation(request, assembly);
  const instructions = listTransactionInstructions(assembly, request);
  const accounts = countWhereMany(request.payer, instructions);
  if (accounts + spare.accounts > MAX_ACCOUNTS) return createAccountsViolation(accounts);
  let message: MessageMeasure;
  try {
    message = measureMessage({ feePayer: request.payer, instructions, lookupTables: assembly.tables });
  } catch (error) {
    // One of the wallets in the request is a program.
    if (!(error instanceof TransactionInvalid)) throw error;
    return { reason: `the swap makes no valid transaction: ${error.message}`, rank: 3, needs: 0 };
  }
  if (message.accounts + spare.accounts > MAX_ACCOUNTS) return createAccountsViolation(message.accounts);
  const size = computeTransactionSize(message.bytes, message.signers);
  return size + spare.bytes > MAX_TRANSACTION_BYTES ? createBytesViolation(size) : null;
}

/** Returns the violation that is closer to fitting. */
export function getClosestViolation(one: LimitViolation | null, other: LimitViolation): LimitViolation {
  if (one === null || one.rank > other.rank) return other;
  return one.rank < other.rank || one.needs <= other.needs ? one : other;
}

function createMaxAccountsViolation(
  { maxAccounts }: SwapTerms,
  { innerAccounts: needs }: Assembly,
): LimitViolation {
  return { reason: { kind: 'no-route-in-account-limit', maxAccounts, needs }, rank: 2, needs };
}

function createAccountsViolation(needs: number): LimitViolation {
  const found = `the smallest that was found makes one of ${needs}`;
  const reason = `no route fits a transaction of ${MAX_ACCOUNTS} accounts: ${found}`;
  return { reason, rank: 1, needs };
}

function createBytesViolation(needs: number): LimitViolation {
  const found = `the smallest that was found makes one of ${needs} bytes`;
  const reason = `no route fits a transaction of ${MAX_TRANSACTION_BYTES} bytes: ${found}`;
  return { reason, rank: 0, needs };
}

/** All instructions that the answer may have, and the compute-unit limit that the caller adds. */
function listTransactionInstructions(assembly: Assembly, terms: SwapTerms): Instruction[] {
  const { setup, swap, creations, tip } = assembly;
  const created = new Set(creations.map(({ account }) => account));
  const before = [...setup, ...listGuards(assembly, created)];
  const instructions = [...before, swap, ...listCleanupInstructions(assembly, created)];
  if (tip !== null) instructions.push(tip);
  const { instructions: alongside = [] } = terms.alongside ?? {};
  return [...BUDGET, ...signForTaker(terms, instructions), ...alongside];
}

/**
 * Counts the accounts only if there may be more than a message can name; otherwise returns 0, because measuring the
 * message counts them too.
 */
function countWhereMany(payer: Address, instructions: readonly Instruction[]): number {
  const named = instructions.reduce((sum, { accounts }) => sum + 1 + accounts.length, 1);
  return named <= MAX_ACCOUNTS ? 0 : countAccounts(payer, instructions);
}

function countAccounts(payer: Address, instructions: readonly Instruction[]): number {
  const named = new Set<Address>([payer]);
  for (const { programAddress, accounts } of instructions) {
    named.add(programAddress);
    for (const { address } of accounts) named.add(address);
  }
  return named.size;
}

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
