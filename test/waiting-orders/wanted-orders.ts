import { address, type Address } from '../../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';
import type {
  PriceOrderRequest,
  RecurringOrderRequest,
  RequestedPrices,
} from '../../src/waiting-orders/deposits/order-request.ts';
import type { OrderFamily, PricePlan } from '../../src/waiting-orders/order-plan.ts';
import type { RandomNumbers } from './random-numbers.ts';

export const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** What a client fills in once the deposit is crafted and signed. */
type Funding = 'wallet' | 'userPubkey' | 'depositRequestId' | 'depositSignedTx';
export type WantedPrices = Omit<PriceOrderRequest, Funding>;
export type WantedRounds = Omit<RecurringOrderRequest, Funding>;
export type WantedOrder = WantedPrices | WantedRounds;

/** What a wallet changes of an order over prices. What is null stays as it is. */
export interface WantedEdit extends RequestedPrices {
  readonly kind: PricePlan['kind'];
  readonly expiresAt: number | null;
}

/** The market in which a wallet makes up its mind. */
export interface OrderMood {
  readonly random: RandomNumbers;
  /** US dollars for one SOL. */
  readonly price: number;
  /** Unix milliseconds. */
  readonly now: number;
  /** The mint of the shares that USDC can be lent out for; null if wallets do not do that. */
  readonly earnMint: Address | null;
}

const NO_PRICES: RequestedPrices = {
  triggerPriceUsd: null,
  trailingBps: null,
  slippageBps: null,
  tpPriceUsd: null,
  tpSlippageBps: null,
  slPriceUsd: null,
  slSlippageBps: null,
};
/** The kinds in the order in which they are wanted, so that even a short campaign has some of each. */
const KINDS = [
  ...(['single', 'oco', 'time_based', 'otoco', 'trailing'] as const),
  ...(['earning', 'oco', 'price_conditional', 'otoco'] as const),
];
/** The shortest that is taken. */
const INTERVAL_SECONDS = 60;
const LONG_MS = 86_400_000_000;

export function areRounds(wanted: WantedOrder): wanted is WantedRounds {
  return wanted.kind === 'time_based' || wanted.kind === 'price_conditional';
}

export function getFamily(wanted: WantedOrder): OrderFamily {
  return areRounds(wanted) ? 'recurring' : 'price';
}

/**
 * Returns an order between SOL and USDC, worth 20 dollars and more.
 *
 * @param number - Counts the orders, by which their kinds take turns.
 */
export function pickOrder(mood: OrderMood, number: number): WantedOrder {
  const { random } = mood;
  const kind = KINDS[number % KINDS.length] ?? 'single';
  const sellsSol = random.chance(0.5);
  const mints = sellsSol ? toPair(WRAPPED_SOL_MINT, USDC) : toPair(USDC, WRAPPED_SOL_MINT);
  if (kind === 'earning') return pickEarning(mood);
  if (kind === 'time_based' || kind === 'price_conditional') return pickRounds(mood, kind, mints);
  const common = {
    ...mints,
    ...NO_PRICES,
    inputAmount: pickAmount(random, sellsSol),
    triggerMint: WRAPPED_SOL_MINT,
    expiresAt: pickEnd(mood),
  };
  const condition = random.chance(0.5) ? 'above' : 'below';
  const slippageBps = pickSlippage(random);
  switch (kind) {
    case 'single':
      return { ...common, kind, condition, triggerPriceUsd: pickPrice(mood, -0.03, 0.03), slippageBps };
    case 'trailing': {
      const followed = sellsSol ? 'below' : 'above';
      return {
        ...common,
        kind: 'single',
        condition: followed,
        trailingBps: pickDistance(random),
        slippageBps,
      };
    }
    case 'oco':
      return { ...common, kind, condition: null, ...pickPair(mood) };
    case 'otoco': {
      const triggerPriceUsd = pickPrice(mood, -0.01, 0.01);
      return { ...common, kind, condition, triggerPriceUsd, slippageBps, ...pickPair(mood) };
    }
  }
}

/** Returns how a wallet changes an order. */
export function pickEdit(mood: OrderMood, { kind, trailingBps }: WantedPrices): WantedEdit {
  const { random } = mood;
  const expiresAt = random.chance(0.3) ? pickEnd(mood) : null;
  const none = { ...NO_PRICES, kind, expiresAt };
  if (trailingBps !== null) return { ...none, trailingBps: pickDistance(random) };
  const triggerPriceUsd = pickPrice(mood, -0.03, 0.03);
  if (kind === 'single') return { ...none, triggerPriceUsd, slippageBps: pickSlippage(random) };
  const pair = { ...none, ...pickPair(mood) };
  return kind === 'otoco' && random.chance(0.3) ? { ...pair, triggerPriceUsd } : pair;
}

function pickRounds(
  { random, price, now }: OrderMood,
  kind: WantedRounds['kind'],
  mints: ReturnType<typeof toPair>,
): WantedRounds {
  const orderCount = random.below(3) + 2;
  const isBounded = kind === 'price_conditional';
  const atomsPerDollar = mints.inputMint === USDC ? 1e6 : 1e9 / price;
  // An odd number of atoms, of which something is left over when it is divided.
  const inputAmount = BigInt(Math.floor(atomsPerDollar * orderCount * (12 + random.below(20)))) * 2n + 1n;
  const spread = () => price * random.fraction() * 0.02;
  return {
    ...mints,
    kind,
    inputAmount,
    orderCount,
    intervalSeconds: INTERVAL_SECONDS,
    beginFillAt: random.chance(0.5) ? null : now + random.below(60_000) + 20_000,
    minPriceUsd: isBounded ? toCents(price - spread()) : null,
    maxPriceUsd: isBounded && random.chance(0.7) ? toCents(price + spread()) : null,
    triggerMint: isBounded ? WRAPPED_SOL_MINT : null,
    earns: false,
    earnMint: null,
  };
}

/** Returns rounds whose input is lent out while they wait. */
function pickEarning(mood: OrderMood): WantedRounds {
  const kind = mood.random.chance(0.7) ? 'time_based' : 'price_conditional';
  const rounds = pickRounds(mood, kind, toPair(USDC, WRAPPED_SOL_MINT));
  return { ...rounds, earns: mood.earnMint !== null, earnMint: mood.earnMint };
}

function toPair(inputMint: Address, outputMint: Address) {
  return { inputMint, outputMint };
}

function pickAmount(random: RandomNumbers, sellsSol: boolean): bigint {
  return BigInt(sellsSol ? random.below(900) + 100 : random.below(180) + 20) * 1_000_000n;
}

/** Some orders end soon. */
function pickEnd({ random, now }: OrderMood): number {
  return now + (random.chance(0.2) ? random.below(60) * 1_000 + 5_000 : LONG_MS);
}

function pickPair(mood: OrderMood) {
  return {
    tpPriceUsd: pickPrice(mood, 0.001, 0.025),
    tpSlippageBps: pickSlippage(mood.random),
    slPriceUsd: pickPrice(mood, -0.025, -0.001),
    slSlippageBps: pickSlippage(mood.random),
  };
}

/** Returns a price that is as far from the price now as a part between two of it. */
function pickPrice({ random, price }: OrderMood, least: number, most: number): number {
  return toCents(price * (1 + least + random.fraction() * (most - least)));
}

function pickDistance(random: RandomNumbers): number {
  return random.below(200) + 50;
}

function pickSlippage(random: RandomNumbers): number | null {
  return random.chance(0.5) ? null : random.below(300);
}

function toCents(price: number): number {
  return Number(price.toFixed(4));
}
