import type { Prices } from '../../market/prices/prices.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';

/** A swap that lamports are compared with. Amounts are atoms. */
export interface ComparedSwap {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  readonly outAmount: bigint;
}

/** Dollars are compared as whole billionths. */
const BILLION = 1e9;

/**
 * Converts what a swap costs beyond its amounts into atoms of its output, rounded up. With SOL as output they are the same;
 * with SOL as input the swap's own rate applies. Otherwise lamports and input are valued by deep pools, or lamports and
 * output where no deep pool prices the input.
 *
 * @returns 0 if no deep pool prices SOL, or neither of the two tokens: then swaps are compared by what they pay alone
 */
export function convertLamportsToOutput(
  prices: Pick<Prices, 'deepDollarsPerAtom'>,
  { inputMint, outputMint, inAmount, outAmount }: ComparedSwap,
  lamports: bigint,
): bigint {
  if (lamports <= 0n || outputMint === WRAPPED_SOL_MINT) return lamports;
  if (inputMint === WRAPPED_SOL_MINT) return computeRoundedUpShare(outAmount, lamports, inAmount);
  // By the prices alone: what the pools could pay out for a large amount would make the costs seem larger than they are.
  const worthOf = (mint: Address, atoms: bigint) => {
    const price = prices.deepDollarsPerAtom(mint);
    return price === null ? null : billionths(price * Number(atoms));
  };
  const cost = worthOf(WRAPPED_SOL_MINT, lamports);
  const worth = worthOf(inputMint, inAmount) ?? worthOf(outputMint, outAmount);
  return cost === null || worth === null ? 0n : computeRoundedUpShare(outAmount, cost, worth);
}

function computeRoundedUpShare(amount: bigint, part: bigint, whole: bigint): bigint {
  return (amount * part + whole - 1n) / whole;
}

/** Null also for what is worth nothing, because nothing can be compared with it. */
function billionths(dollars: number): bigint | null {
  if (!(dollars * BILLION >= 1) || !Number.isFinite(dollars)) return null;
  return BigInt(Math.ceil(dollars * BILLION));
}
