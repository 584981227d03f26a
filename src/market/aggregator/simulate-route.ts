import { U64_MAX } from '../../solana/units.ts';
import type { Quote } from '../../protocol/venue/venue.ts';

/** The part of a step that decides amounts. Shares of the v1 forms are percents, of which each is 100 bps. */
export interface PlannedStep {
  readonly bps: number;
  readonly inputIndex: number;
  readonly outputIndex: number;
}

export interface SimulatedTerms {
  readonly inAmount: bigint;
  /** With 0 the route may pay anything: the result is then a quote. */
  readonly quotedOutAmount: bigint;
  readonly slippageBps: number;
  /** `side` says which of the route's two mints the fee account holds. */
  readonly platformFee?: { readonly bps: number; readonly side: 'input' | 'output' };
  readonly positiveSlippageBps?: number;
}

/** Quotes step `index` for `amount`; null if the venue refuses. */
export type QuoteStep = (index: number, amount: bigint) => Pick<Quote, 'inAmount' | 'outAmount'> | null;

export interface SimulatedStep {
  /** The amount that the step was given, as its event says. */
  readonly inputAmount: bigint;
  /** The part that it spent. Some venues leave a remainder in the input account. */
  readonly spentAmount: bigint;
  readonly outputAmount: bigint;
}

export interface RoutePays {
  readonly steps: readonly SimulatedStep[];
  /** The amount that the last step's output index received, before fees. */
  readonly delivered: bigint;
  /** Both in atoms of the side that pays them. */
  readonly platformFee: bigint;
  readonly positiveSlippage: bigint;
  /** The amount that the user gets. It is the program's return value. */
  readonly net: bigint;
}

/** The program's error code; null if the venue of `step` refuses with an error of its own. */
export interface RouteRefused {
  readonly code: number | null;
  /** Null if the route as a whole is refused. */
  readonly step: number | null;
}

export type SimulatedRoute =
  | { readonly pays: RoutePays; readonly refused?: never }
  | { readonly refused: RouteRefused; readonly pays?: never };

const WHOLE = 10_000n;
/** The largest sum of shares: the program adds them up in a u16. */
const U16_MAX = 0xffffn;

const SLIPPAGE_TOLERANCE_EXCEEDED = 6001;
const INVALID_CALCULATION = 6002;
const INVALID_INPUT_INDEX = 6006;
const INVALID_OUTPUT_INDEX = 6007;
const INVALID_ROUTE_PLAN = 6010;
/** The framework's `RequireEqViolated` and `RequireKeysEqViolated`. */
const DELIVERED_TOO_LATE = 2501;
const INDEX_BOUND_TWICE = 2502;

/**
 * Computes what the aggregator does with a route whose steps pay as `quoteStep` says, using the program's own
 * arithmetic: a quote made from it is executed to the atom for the same state. Steps are quoted in order, each once, so
 * that `quoteStep` may let an earlier step move the pool of a later one.
 *
 * Accounts are not checked. The caller must make sure that each index stands for one token account, that the last step
 * ends in the destination's mint, and that the source holds the input.
 *
 * @param quoteStep - Quotes one step; called in the order of the steps.
 * @returns what the route pays, or the error with which the program refuses it
 *
 * @example
 * ```ts
 * import { simulateRoute } from './simulate-route.ts';
 *
 * // One step that pays twice what it gets.
 * const { pays } = simulateRoute(
 *   [{ bps: 10_000, inputIndex: 0, outputIndex: 1 }],
 *   { inAmount: 1_000n, quotedOutAmount: 0n, slippageBps: 0 },
 *   (_step, amount) => ({ inAmount: amount, outAmount: 2n * amount }),
 * );
 * pays?.net; // 2000n
 * ```
 */
export function simulateRoute(
  plan: readonly PlannedStep[],
  terms: SimulatedTerms,
  quoteStep: QuoteStep,
): SimulatedRoute {
  const inputFee =
    terms.platformFee?.side === 'input' ? computeBpsShare(terms.inAmount, terms.platformFee.bps) : 0n;
  if (inputFee > terms.inAmount) return refuse(INVALID_CALCULATION);
  const run = runSteps(plan, terms.inAmount - inputFee, quoteStep);
  if ('refused' in run) return run;
  return settle(run.steps, run.delivered, inputFee, terms);
}

/** The amounts of an index. When the shares reach the whole, all three start at zero again. */
interface SimulatedHolding {
  received: bigint;
  spent: bigint;
  shares: bigint;
}

type SimulatedRun =
  | { readonly refused: RouteRefused }
  | { readonly steps: readonly SimulatedStep[]; readonly delivered: bigint };

function runSteps(plan: readonly PlannedStep[], amount: bigint, quoteStep: QuoteStep): SimulatedRun {
  const holdings: SimulatedHolding[] = plan.map(() => ({ received: 0n, spent: 0n, shares: 0n }));
  holdings.unshift({ received: amount, spent: 0n, shares: 0n });
  const steps: SimulatedStep[] = [];
  let last: SimulatedHolding | undefined;
  for (const [index, step] of plan.entries()) {
    const source = holdings[step.inputIndex];
    if (source === undefined) return refuse(INVALID_INPUT_INDEX, index);
    const shares = source.shares + BigInt(step.bps);
    if (shares > WHOLE) return refuse(shares > U16_MAX ? INVALID_CALCULATION : INVALID_ROUTE_PLAN, index);
    const inputAmount = computeStepInput(source, step.bps);
    const quote = quoteStep(index, inputAmount);
    if (quote === null) return refuse(null, index);

    const destination = holdings[step.outputIndex];
    if (destination === undefined) return refuse(INVALID_OUTPUT_INDEX, index);
    if (step.outputIndex === 0 || destination === source) return refuse(INDEX_BOUND_TWICE, index);
    if (destination.shares > 0n) return refuse(DELIVERED_TOO_LATE, index);
    destination.received += quote.outAmount;
    if (destination.received > U64_MAX) return refuse(INVALID_CALCULATION, index);
    spend(source, inputAmount, step.bps);
    steps.push({ inputAmount, spentAmount: quote.inAmount, outputAmount: quote.outAmount });
    last = destination;
  }
  return last === undefined ? refuse(INVALID_ROUTE_PLAN) : { steps, delivered: last.received };
}

/** Returns the share of all that was received, rounded down; the step that completes the whole takes the rest. */
function computeStepInput(holding: SimulatedHolding, bps: number): bigint {
  return holding.shares + BigInt(bps) === WHOLE
    ? holding.received - holding.spent
    : computeBpsShare(holding.received, bps);
}

function spend(holding: SimulatedHolding, amount: bigint, bps: number): void {
  holding.spent += amount;
  holding.shares += BigInt(bps);
  if (holding.shares === WHOLE) Object.assign(holding, { received: 0n, spent: 0n, shares: 0n });
}

function settle(
  steps: readonly SimulatedStep[],
  delivered: bigint,
  inputFee: bigint,
  terms: SimulatedTerms,
): SimulatedRoute {
  const fee = terms.platformFee;
  const outputFee = fee?.side === 'output' ? computeBpsShare(delivered, fee.bps) : 0n;
  if (outputFee > delivered) return refuse(INVALID_CALCULATION);
  const afterFee = delivered - outputFee;
  const { quotedOutAmount, slippageBps } = terms;
  if (quotedOutAmount > 0n) {
    if (slippageBps > WHOLE) return refuse(INVALID_CALCULATION);
    if (afterFee < leastFor(quotedOutAmount, BigInt(slippageBps))) return refuse(SLIPPAGE_TOLERANCE_EXCEEDED);
  }
  const positiveSlippage = computePositiveSlippage(afterFee, quotedOutAmount, terms.positiveSlippageBps ?? 0);
  const net = afterFee - positiveSlippage;
  return { pays: { steps, delivered, platformFee: inputFee + outputFee, positiveSlippage, net } };
}

/** Returns the quote less the slippage, rounded up; 0 if that is less than an atom. */
function leastFor(quoted: bigint, slippageBps: bigint): bigint {
  const least = quoted * (WHOLE - slippageBps);
  return least < WHOLE ? 0n : (least + WHOLE - 1n) / WHOLE;
}

/** Returns the fee on the amount above the quote, at most floor(amount × p / (10000 + p)). */
function computePositiveSlippage(amount: bigint, quoted: bigint, bps: number): bigint {
  const most = (amount * BigInt(bps)) / (WHOLE + BigInt(bps));
  const excess = amount - quoted;
  if (excess <= 0n) return 0n;
  return excess < most ? excess : most;
}

function computeBpsShare(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / WHOLE;
}

function refuse(code: number | null, step: number | null = null): { readonly refused: RouteRefused } {
  return { refused: { code, step } };
}
