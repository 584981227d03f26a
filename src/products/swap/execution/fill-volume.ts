import type { LandedTransaction } from '../../../chain/chain.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import { dollarsPerAtom } from '../../../market/prices/prices.ts';
import type { FillTerms, FillVolume } from '../../../rfq/index.ts';
import { tokenChange } from './swap-result.ts';

/** What the maker's accounts have moved, which nothing but the fill may touch. */
export function fillVolume(pools: Pools, terms: FillTerms, landed: LandedTransaction): FillVolume {
  const { maker, base, quote, pays } = terms;
  const moved = (mint: FillTerms['base']) => {
    const change = tokenChange(landed, maker, mint);
    return { mint, atoms: mint === pays ? -change : change };
  };
  const [ofBase, ofQuote] = [moved(base), moved(quote)];
  const [paid, received] = pays === base ? [ofBase, ofQuote] : [ofQuote, ofBase];
  return {
    signature: landed.signature,
    paid,
    received,
    microDollars: worth(pools, ofQuote) ?? worth(pools, ofBase),
  };
}

/** For statistics only: what a token is worth is an estimate. */
function worth(pools: Pools, { mint, atoms }: FillVolume['paid']): bigint | null {
  const microDollars = Math.round((dollarsPerAtom(pools, mint) ?? Number.NaN) * Number(atoms) * 1e6);
  return Number.isFinite(microDollars) ? BigInt(microDollars) : null;
}
