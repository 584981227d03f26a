import type { Address } from '../../solana/address.ts';
import { type Bps, bps } from '../../solana/units.ts';
import { getMintClass, isHouseToken, type MintClass } from '../fees/mint-classes.ts';

const FREE = bps(0);
const SOL_FOR_STABLECOIN = bps(2);
const STAKED_SOL_FOR_STABLECOIN = bps(5);
const OTHER_PAIR = bps(10);
const YOUNG_TOKEN = bps(50);

/**
 * Looks up the fee that the public service takes for an order.
 * @param isYoung - Whether a token is younger than 24 hours. Only called for tokens that are not listed.
 *
 * @example
 * ```ts
 * import { getHouseFeeBps } from './fee-table.ts';
 * import { getGenesisToken } from '../../solana/known-tokens.ts';
 *
 * const pair = { inputMint: getGenesisToken('SOL').mint, outputMint: getGenesisToken('USDC').mint };
 * getHouseFeeBps(pair, () => false); // 2
 * ```
 */
export function getHouseFeeBps(
  { inputMint, outputMint }: { readonly inputMint: Address; readonly outputMint: Address },
  isYoung: (mint: Address) => boolean,
): Bps {
  const [paid, received] = [getMintClass(inputMint), getMintClass(outputMint)];
  if (isHouseToken(outputMint) && (paid === 'SOL' || paid === 'stablecoin')) return FREE;
  const isBetween = (one: MintClass, other: MintClass) =>
    (paid === one && received === other) || (paid === other && received === one);
  if (isBetween('staked SOL', 'staked SOL') || isBetween('stablecoin', 'stablecoin')) return FREE;
  if (isBetween('SOL', 'stablecoin')) return SOL_FOR_STABLECOIN;
  if (isBetween('staked SOL', 'stablecoin')) return STAKED_SOL_FOR_STABLECOIN;
  const isNew = [inputMint, outputMint].some((mint) => getMintClass(mint) === 'other' && isYoung(mint));
  return isNew ? YOUNG_TOKEN : OTHER_PAIR;
}
