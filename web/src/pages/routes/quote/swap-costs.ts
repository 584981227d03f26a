import type { NetworkCosts, RouteAnswer, RouteLeg } from './route-answer.ts';
import { computeNanoDollars, convertAtMarket, type FindMarket } from '../../../base/market-price.ts';
import { SOL_MINT } from '../../../base/mints.ts';

const SOL = { decimals: 9 };
const MILLION = 1_000_000n;
/** Basis points of a whole. */
const WHOLE_BPS = 10_000n;

/** What a swap costs beside what it pays out. Dollars are billionths; null is what nobody knows. */
export interface SwapCosts {
  readonly paidDollars: bigint | null;
  readonly receivedDollars: bigint | null;
  /** What the input would be worth in the output token at the market's prices, without any cost. */
  readonly marketOut: bigint | null;
  /** What of `marketOut` does not arrive, in the output token. Negative if the swap pays more than the market's prices. */
  readonly tradeCost: bigint | null;
  readonly tradeCostDollars: bigint | null;
  /** Parts of the cost of the trade. */
  readonly poolFeeDollars: bigint | null;
  readonly platformFeeDollars: bigint | null;
  /** What the fees leave of the cost of the trade: the price impact, and the spread of makers. */
  readonly restDollars: bigint | null;
  /** What the taker pays to the network; null without a taker. */
  readonly networkLamports: bigint | null;
  readonly networkDollars: bigint | null;
  /** The output less what the taker pays to the network, in the output token. Engines are compared by it. */
  readonly netOut: bigint | null;
  /** The share of `marketOut` that all costs together take, in millionths. */
  readonly allInShare: bigint | null;
  readonly sponsorDollars: bigint | null;
}

/** Computes what a swap costs, with the prices of the market as the measure. */
export function computeSwapCosts(answer: RouteAnswer, findMarket: FindMarket): SwapCosts {
  const { inputMint, outputMint, inAmount, outAmount, platformFee, network } = answer;
  const [input, output] = [findMarket(inputMint), findMarket(outputMint)];
  const sol = { ...SOL, price: findMarket(SOL_MINT).price };
  const paidDollars = computeNanoDollars(inAmount, input);
  const receivedDollars = computeNanoDollars(outAmount, output);
  const marketOut = convertAtMarket(inAmount, input, output);
  const tradeCost = marketOut === null ? null : marketOut - outAmount;
  const tradeCostDollars =
    paidDollars === null || receivedDollars === null ? null : paidDollars - receivedDollars;
  const poolFeeDollars = sumPoolFees(answer.legs, findMarket);
  const platformFeeDollars =
    platformFee === null ? 0n : computeNanoDollars(platformFee.amount, findMarket(platformFee.mint));
  const sponsorDollars =
    paidDollars === null ? null : (paidDollars * BigInt(Math.trunc(answer.sponsorBps))) / WHOLE_BPS;
  const networkLamports = network === null ? null : sumLamportsOf(network, answer.taker);
  const networkOut =
    networkLamports === null
      ? null
      : outputMint === SOL_MINT || networkLamports === 0n
        ? networkLamports
        : convertAtMarket(networkLamports, sol, output, 'up');
  const netOut = networkOut === null ? null : outAmount - networkOut;
  return {
    paidDollars,
    receivedDollars,
    marketOut,
    tradeCost,
    tradeCostDollars,
    poolFeeDollars,
    platformFeeDollars,
    restDollars: subtractAll(tradeCostDollars, [poolFeeDollars, platformFeeDollars, sponsorDollars]),
    networkLamports,
    networkDollars: networkLamports === null ? null : computeNanoDollars(networkLamports, sol),
    netOut,
    allInShare: computeShareLost(marketOut, netOut ?? outAmount),
    sponsorDollars,
  };
}

/**
 * Computes by how much the price of one step is below that of the market, fees included.
 *
 * @returns Millionths of what the market's prices would give, negative if the step pays more; null where a price is missing.
 */
export function computeLegLoss(leg: RouteLeg, findMarket: FindMarket): bigint | null {
  const expected = convertAtMarket(leg.inAmount, findMarket(leg.inputMint), findMarket(leg.outputMint));
  return computeShareLost(expected, leg.outAmount);
}

/** The lamports that the taker itself pays; another payer's cost the taker nothing. */
function sumLamportsOf(network: NetworkCosts, taker: string | null): bigint {
  const parts = [
    [network.signaturePayer, network.signatureLamports],
    [network.priorityPayer, network.priorityLamports],
    [network.rentPayer, network.rentLamports],
  ] as const;
  return parts.reduce((sum, [payer, lamports]) => (payer === taker ? sum + lamports : sum), 0n);
}

function sumPoolFees(legs: readonly RouteLeg[], findMarket: FindMarket): bigint | null {
  let sum = 0n;
  for (const { fee } of legs) {
    if (fee === null) return null;
    const dollars = fee.amount === 0n ? 0n : computeNanoDollars(fee.amount, findMarket(fee.mint));
    if (dollars === null) return null;
    sum += dollars;
  }
  return sum;
}

function subtractAll(from: bigint | null, parts: readonly (bigint | null)[]): bigint | null {
  return parts.reduce((rest, part) => (rest === null || part === null ? null : rest - part), from);
}

function computeShareLost(expected: bigint | null, got: bigint): bigint | null {
  return expected === null || expected <= 0n ? null : ((expected - got) * MILLION) / expected;
}
