import type { Chain, ChainClock } from '../../../chain/chain.ts';
import type { Liquidity } from '../../../market/pools/liquidity.ts';
import type { LookupTableIndex } from '../../../market/pools/lookup-tables.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import { computePriceImpact } from '../../../market/prices/price-impact.ts';
import { findRoutesExactOut } from '../../../market/router/exact-out.ts';
import { type Route, runRoute } from '../../../market/router/index.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { bps } from '../../../solana/units.ts';
import { listCleanupInstructions, removeCreations } from '../../../swaps/build/around-swap.ts';
import { type Assembly, assemble } from '../../../swaps/build/assembly.ts';
import { findLimitViolation } from '../../../swaps/build/fit.ts';
import { createSwapTerms, type SwapTerms } from '../../../swaps/build/swap-terms.ts';
import { computeTokenAccountRent } from '../../../swaps/build/route-costs.ts';
import type { TransactionPlan } from '../../../transactions/build/build-transaction.ts';
import { listWritableAccounts } from '../../../transactions/build/transaction-message.ts';
import { PRICE, SWAPPED_CURRENCIES, type SwappedCurrency } from './price.ts';

export interface SwappedPaymentDependencies {
  readonly chain: Pick<Chain, 'clock'>;
  readonly pools: Liquidity & Pick<Pools, 'account'>;
  readonly lookupTables: Pick<LookupTableIndex, 'covering'>;
  readonly receiver: Address;
}

/** A swap of another currency to JUP that goes to the receiver. */
export interface SwappedPayment {
  /** Without the serial number of the transaction. */
  readonly plan: Omit<TransactionPlan, 'serial'>;
  /** Atoms that the sender spends: all of them, whatever the price is when the payment lands. */
  readonly inAmount: bigint;
  /** Atoms of JUP that the receiver gets at the present state of the pools. The program pays no less than the price. */
  readonly outAmount: bigint;
}

/** Routes that are tried, in case a pool of the best one refuses. */
const MAX_ROUTES = 4;
const MAX_HOPS = 3;
/** The buffer on the input, for prices that move before the payment lands: 50 basis points of the whole. */
const BUFFER_BPS = 50n;
const WHOLE = 10_000n;
/** A route through pools that are too thin for the amount would cost the sender more than this share of the price. */
const MAX_PRICE_IMPACT = 0.1;

/**
 * Finds swaps that pay the receiver the price of a request, the cheapest first. The program demands the whole price of
 * 1,000 JUP, so a payment fails if the pools pay less when it lands.
 *
 * Returns at most four; none if the pools do not sell that much near their price.
 */
export function findSwappedPayments(
  dependencies: SwappedPaymentDependencies,
  sender: Address,
  currency: SwappedCurrency,
): readonly SwappedPayment[] {
  const { chain, pools } = dependencies;
  const { mint: inputMint } = SWAPPED_CURRENCIES[currency];
  const clock = chain.clock();
  const routes = findRoutesExactOut(pools, {
    inputMint,
    outputMint: PRICE.mint,
    amount: PRICE.amount,
    clock,
    maxHops: MAX_HOPS,
    onlyHubs: false,
  });
  const found: SwappedPayment[] = [];
  for (const cheapest of routes) {
    const route = addBuffer(cheapest, clock);
    if (route === null) continue;
    const payment = createSwappedPayment(dependencies, sender, inputMint, route);
    if (payment !== null) found.push(payment);
    if (found.length === MAX_ROUTES) break;
  }
  return found;
}

/** Returns null if a pool refuses the larger amount, or the pools are too thin for it. */
function addBuffer({ legs, inAmount }: Route, clock: ChainClock): Route | null {
  const buffered = (inAmount * (WHOLE + BUFFER_BPS) + WHOLE - 1n) / WHOLE;
  const route = runRoute(legs, buffered, clock);
  if (route === null || route.outAmount < PRICE.amount) return null;
  return Number(computePriceImpact(route, clock)) > MAX_PRICE_IMPACT ? null : route;
}

function createSwappedPayment(
  dependencies: SwappedPaymentDependencies,
  sender: Address,
  inputMint: Address,
  route: Route,
): SwappedPayment | null {
  const { inAmount, outAmount } = route;
  const terms = createSwapTerms({
    inputMint,
    outputMint: PRICE.mint,
    amount: inAmount,
    taker: sender,
    destination: { kind: 'wallet', address: dependencies.receiver },
  });
  const assembly = assemble(dependencies, terms, {
    route,
    fee: null,
    // The price itself, without slippage: what the route pays above it stays with the receiver.
    quotedOut: PRICE.amount,
    slippageBps: bps(0),
  });
  if (findLimitViolation(assembly, terms) !== null) return null;
  return { plan: planOf(dependencies, terms, assembly), inAmount, outAmount };
}

function planOf(
  { pools }: Pick<SwappedPaymentDependencies, 'pools'>,
  { inputMint, amount, taker: sender }: SwapTerms,
  assembly: Assembly,
): SwappedPayment['plan'] {
  const { swap, source, tables } = assembly;
  const setup = setupOf(assembly);
  return {
    feePayer: sender,
    instructions: ({ missing }) => [...setup, swap, ...listCleanupInstructions(assembly, missing)],
    lookupTables: tables,
    creations: assembly.creations.map(({ account, mint, paidBy, rentGoesTo }) => ({
      account,
      rent: () => computeTokenAccountRent(pools, mint),
      isReturned: rentGoesTo === paidBy,
    })),
    spends: [{ wallet: sender, amount, tokenAccount: inputMint === WRAPPED_SOL_MINT ? null : source }],
    tip: 0n,
    priority: { asked: null, competesFor: listWritableAccounts(swap), isSponsored: false },
  };
}

/** The receiver's account is created last, after those that the tokens pass through. */
function setupOf({ setup, destination }: Assembly): readonly Instruction[] {
  const before = removeCreations(setup, new Set([destination]));
  return [...before, ...setup.filter((instruction) => !before.includes(instruction))];
}
