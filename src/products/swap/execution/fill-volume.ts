import type { LandedTransaction } from '../../../chain/chain.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import { dollarsPerAtom } from '../../../market/prices/prices.ts';
import type { FillTerms, FillVolume } from '../../../rfq/index.ts';
import { tokenChange } from './swapped-amounts.ts';

/** Reads the volume of a fill from the maker's accounts, which only the fill may touch in its transaction. */
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

/** An estimate, for statistics only. */
function worth(pools: Pools, { mint, atoms }: FillVolume['paid']): bigint | null {
  const microDollars = Math.round((dollarsPerAtom(pools, mint) ?? Number.NaN) * Number(atoms) * 1e6);
  return Number.isFinite(microDollars) ? BigInt(microDollars) : null;
}
