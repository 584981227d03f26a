import { runDelivery } from '../../market/router/deliver.ts';
import { type PlannedLeg, type Route, runRoute } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { SwapRefused } from '../refusals.ts';
import { EXACT_IN_FORMS } from '../build/forms.ts';
import type { AcceptedQuote, QuotedStep } from './swap-request.ts';

const WHOLE = 10_000;
const NO_MARKET = 'MARKET_NOT_FOUND';
const LEFT_OVER = 'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT';

/**
 * Rebuilds the route that a quote names, over the pools as they are known here, with what they pay now for `amount`, or
 * with `ExactOut` with what they take for it.
 * @throws SwapRefused for a pool that is unknown or trades other mints, and for a plan that would not move all of the
 *   input to the output
 */
export function resolveQuotedRoute(
  { chain, pools }: { readonly chain: Pick<Chain, 'clock'>; readonly pools: Pools },
  quote: AcceptedQuote,
  amount: bigint,
): Route {
  const plan = quote.routePlan;
  for (const mint of [quote.inputMint, quote.outputMint]) {
    if (!pools.knows(mint)) {
      throw new SwapRefused({ kind: 'quoted-mint-without-pool', mint }, 'TOKEN_NOT_TRADABLE');
    }
  }
  checkShares(plan, quote);
  checkOrder(plan, quote);
  const indexes = indexMints(plan, quote);
  const used = new Set<Address>();
  const legs = plan.map((step, place): PlannedLeg => {
    const { pool, inputMint, outputMint, bps } = step;
    if (used.has(pool)) throw new SwapRefused({ kind: 'step-repeats-pool', step: place, pool });
    used.add(pool);
    return {
      handle: requirePoolHandle(pools, step, place),
      inputMint,
      outputMint,
      bps,
      inputIndex: indexes.get(inputMint) ?? 0,
      outputIndex: indexes.get(outputMint) ?? 0,
    };
  });
  const run = quote.swapMode === 'ExactOut' ? runDelivery : runRoute;
  const route = run(legs, amount, chain.clock());
  if (route === null) {
    throw new SwapRefused({ kind: 'quoted-pools-refuse' }, 'FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS');
  }
  return route;
}

function requirePoolHandle(pools: Pools, { pool, inputMint, outputMint }: QuotedStep, step: number) {
  const handle = pools.find(pool);
  if (handle === null) {
    throw new SwapRefused({ kind: 'step-of-unknown-pool', step, pool }, NO_MARKET);
  }
  const { mints } = handle.pool;
  if (inputMint === outputMint || !mints.includes(inputMint) || !mints.includes(outputMint)) {
    throw new SwapRefused(
      { kind: 'step-of-other-mints', step, pool, inputMint, outputMint, mints },
      NO_MARKET,
    );
  }
  return handle;
}

/**
 * Checks that each mint is spent completely, or with `ExactOut` delivered completely, in shares that the instruction can
 * encode.
 */
function checkShares(plan: readonly QuotedStep[], quote: AcceptedQuote): void {
  const { shareUnit } = EXACT_IN_FORMS[quote.version];
  const exactOut = quote.swapMode === 'ExactOut';
  const totals = new Map<Address, number>([[exactOut ? quote.outputMint : quote.inputMint, 0]]);
  for (const [step, { inputMint, outputMint, bps }] of plan.entries()) {
    const mint = exactOut ? outputMint : inputMint;
    if (bps === 0 || bps % shareUnit !== 0) {
      throw new SwapRefused({ kind: 'step-share', step, bps, unit: shareUnit });
    }
    totals.set(mint, (totals.get(mint) ?? 0) + bps);
  }
  for (const [mint, total] of totals) {
    if (total !== WHOLE) {
      throw new SwapRefused({ kind: 'shares-not-whole', mint, bps: total }, LEFT_OVER);
    }
  }
}

/**
 * Checks that each mint is received before it is spent, and spent unless it is the output, so that there are no
 * cycles and no remainders.
 */
function checkOrder(
  plan: readonly QuotedStep[],
  { inputMint: source, outputMint: target }: AcceptedQuote,
): void {
  const paid = new Set<Address>([source]);
  const spent = new Set<Address>();
  for (const [step, { inputMint, outputMint }] of plan.entries()) {
    if (!paid.has(inputMint)) throw new SwapRefused({ kind: 'step-spends-unpaid', step, mint: inputMint });
    spent.add(inputMint);
    if (outputMint === source || spent.has(outputMint)) {
      throw new SwapRefused({ kind: 'step-pays-spent', step, mint: outputMint });
    }
    paid.add(outputMint);
  }
  if (!paid.has(target)) throw new SwapRefused({ kind: 'output-never-paid', mint: target });
  if (spent.has(target)) throw new SwapRefused({ kind: 'output-spent', mint: target });
  for (const mint of paid) {
    if (mint !== target && !spent.has(mint)) {
      throw new SwapRefused({ kind: 'never-spent', mint }, LEFT_OVER);
    }
  }
}

/** 0 for the input, then the mints in the order in which they are received; the output comes last. */
function indexMints(plan: readonly QuotedStep[], quote: AcceptedQuote): ReadonlyMap<Address, number> {
  const indexes = new Map<Address, number>([[quote.inputMint, 0]]);
  for (const { outputMint } of plan) {
    if (outputMint !== quote.outputMint && !indexes.has(outputMint)) indexes.set(outputMint, indexes.size);
  }
  return indexes.set(quote.outputMint, indexes.size);
}
