import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { FillVolume } from '../makers/maker-trades.ts';
import type { FillTerms } from '../../swaps/fill-terms.ts';
import { computeTokenChange } from '../../swaps/orders/swapped-amounts.ts';

/** Reads the volume of a fill from the maker's accounts, which only the fill may touch in its transaction. */
export function computeFillVolume(
  prices: Pick<Prices, 'dollarsPerAtom'>,
  terms: FillTerms,
  landed: LandedTransaction,
): FillVolume {
  const { maker, base, quote, pays } = terms;
  const moved = (mint: FillTerms['base']) => {
    const change = computeTokenChange(landed, maker, mint);
    return { mint, atoms: mint === pays ? -change : change };
  };
  const [ofBase, ofQuote] = [moved(base), moved(quote)];
  const [paid, received] = pays === base ? [ofBase, ofQuote] : [ofQuote, ofBase];
  return {
    signature: landed.signature,
    paid,
    received,
    microDollars: estimateMicroDollars(prices, ofQuote) ?? estimateMicroDollars(prices, ofBase),
  };
}

/** An estimate, for statistics only. */
function estimateMicroDollars(
  prices: Pick<Prices, 'dollarsPerAtom'>,
  { mint, atoms }: FillVolume['paid'],
): bigint | null {
  const microDollars = Math.round((prices.dollarsPerAtom(mint) ?? Number.NaN) * Number(atoms) * 1e6);
  return Number.isFinite(microDollars) ? BigInt(microDollars) : null;
}
