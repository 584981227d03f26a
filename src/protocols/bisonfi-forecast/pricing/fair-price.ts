import { computeIntegerSquareRoot } from '../../../common/integer-square-root.ts';

// All arithmetic is on integers, with the same steps as in the program, so that both have the same price to the atom.

/** A dollar in the unit of prices and amounts: micro USD. */
export const MICRO_USD = 1_000_000n;
/** The feed moves in steps of so many seconds, the first of which begins with the open. */
const TIME_STEP = 15n;
const SECONDS_PER_HOUR = 3_600n;
/** The unit of changes relative to the open price: a millionth of a millionth. */
const RELATIVE = 1_000_000_000_000n;
/** The changes beyond which the price no longer depends on them, in thousandths of the deviation. */
const MAX_CHANGE = 4_000n;
const CHANGE_STEP = 100n;

/** The normal distribution at multiples of a tenth of the deviation, in millionths. */
const NORMAL_DISTRIBUTION: readonly bigint[] = [
  500_000n,
  539_828n,
  579_260n,
  617_911n,
  655_422n,
  691_462n,
  725_747n,
  758_036n,
  788_145n,
  815_940n,
  841_345n,
  864_334n,
  884_930n,
  903_200n,
  919_243n,
  933_193n,
  945_201n,
  955_435n,
  964_070n,
  971_283n,
  977_250n,
  982_136n,
  986_097n,
  989_276n,
  991_802n,
  993_790n,
  995_339n,
  996_533n,
  997_445n,
  998_134n,
  998_650n,
  999_032n,
  999_313n,
  999_517n,
  999_663n,
  999_767n,
  999_841n,
  999_892n,
  999_928n,
  999_952n,
  999_968n,
];

/** What decides the fair price of a round's tokens. Prices are in one unit; times are Unix seconds. */
export interface FairPriceTerms {
  readonly price: bigint;
  readonly openPrice: bigint;
  /** The standard deviation of the price within an hour, in millionths. */
  readonly deviation: bigint;
  readonly closeAt: bigint;
  /** When the price was published. From then on it can move, however long that is ago. */
  readonly publishedAt: bigint;
}

/**
 * Computes the probability that a price which moves at random is at least the open price at the close.
 *
 * Returns micro USD: what a token is worth that pays a dollar then. The token of the other side is worth the rest.
 */
export function computeFairUpPrice(terms: FairPriceTerms): bigint {
  const { price, openPrice, deviation, closeAt, publishedAt } = terms;
  const change = ((price > openPrice ? price - openPrice : openPrice - price) * RELATIVE) / openPrice;
  const left = closeAt - (publishedAt - (publishedAt % TIME_STEP));
  const expected = deviation * computeIntegerSquareRoot((left * RELATIVE) / SECONDS_PER_HOUR);
  const likely = interpolate((change * 1_000n) / (expected > 1n ? expected : 1n));
  return price >= openPrice ? likely : MICRO_USD - likely;
}

/** @param change - In thousandths of the deviation, not negative. */
function interpolate(change: bigint): bigint {
  const at = change < MAX_CHANGE ? change : MAX_CHANGE;
  const step = Number(at / CHANGE_STEP);
  const below = NORMAL_DISTRIBUTION[step] ?? MICRO_USD;
  const above = NORMAL_DISTRIBUTION[step + 1] ?? below;
  return below + ((above - below) * (at % CHANGE_STEP)) / CHANGE_STEP;
}
