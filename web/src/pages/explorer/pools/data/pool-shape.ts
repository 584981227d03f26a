import { shape, type ShapeValue } from '../../../../base/json-shape.ts';
import { shortenAddress, shortenName } from '../../../../base/format-text.ts';

/** A symbol that is longer than this is cut: anybody may have chosen it. */
const MAX_SYMBOL = 16;

const readToken = shape.object({
  mint: shape.text,
  symbol: shape.nullable(shape.text),
  decimals: shape.nullable(shape.number),
  isVerified: shape.flag,
});

const ROW = {
  address: shape.text,
  venue: shape.text,
  pair: shape.nullable(shape.list(readToken)),
  liquidity: shape.nullable(shape.number),
  price: shape.nullable(shape.number),
  fee: shape.nullable(shape.number),
  change: shape.nullable(shape.object({ slot: shape.whole, at: shape.number })),
  unusable: shape.nullable(shape.text),
};

/** Reads one pool of a list. */
export const readPoolRow = shape.object(ROW);

/** Reads a page of the list of pools. */
export const readPoolList = shape.object({
  pools: shape.list(readPoolRow),
  total: shape.number,
  cursor: shape.nullable(shape.text),
  venues: shape.list(shape.text),
});

const readCurve = shape.object({
  inputMint: shape.text,
  marginalPrice: shape.number,
  end: shape.text,
  points: shape.list(
    shape.object({
      inAmount: shape.whole,
      outAmount: shape.whole,
      price: shape.number,
      impact: shape.number,
    }),
  ),
});

/** Reads all that is shown of a pool. */
export const readPool = shape.object({
  ...ROW,
  program: shape.nullable(shape.text),
  vaults: shape.nullable(shape.list(shape.text)),
  reserves: shape.nullable(shape.list(shape.whole)),
  paidOut: shape.nullable(shape.list(shape.whole)),
  openedAt: shape.nullable(shape.whole),
  isShortLived: shape.flag,
  slot: shape.nullable(shape.whole),
  feedPrice: shape.nullable(shape.number),
  marketPrice: shape.nullable(shape.number),
  depth: shape.nullable(shape.object({ revision: shape.number, curves: shape.list(readCurve) })),
});

/** Reads what one swap through a pool would bring. */
export const readPoolQuote = shape.object({
  inAmount: shape.whole,
  outAmount: shape.whole,
  feeAmount: shape.whole,
  feeMint: shape.text,
});

export type PoolRow = ShapeValue<typeof readPoolRow>;
export type PoolList = ShapeValue<typeof readPoolList>;
export type PoolDetails = ShapeValue<typeof readPool>;
export type PoolCurve = ShapeValue<typeof readCurve>;
export type AloneQuote = ShapeValue<typeof readPoolQuote>;

/** A token of a pool as it is shown. */
export interface PoolToken {
  readonly mint: string;
  /** The symbol, or the shortened address where there is none. */
  readonly symbol: string;
  /** 0 where it is not known: amounts are then in smallest units. */
  readonly decimals: number;
  readonly isVerified: boolean;
}

/** Returns the two tokens of a pool; null if the pool cannot be read. */
export function findPoolTokens({ pair }: Pick<PoolRow, 'pair'>): readonly [PoolToken, PoolToken] | null {
  const [first, second] = pair ?? [];
  return first === undefined || second === undefined ? null : [toPoolToken(first), toPoolToken(second)];
}

function toPoolToken({ mint, symbol, decimals, isVerified }: ShapeValue<typeof readToken>): PoolToken {
  const name = symbol === null ? '' : shortenName(symbol, MAX_SYMBOL);
  const places =
    decimals !== null && Number.isInteger(decimals) && decimals >= 0 && decimals < 40 ? decimals : 0;
  return { mint, symbol: name === '' ? shortenAddress(mint) : name, decimals: places, isVerified };
}
