import { type TokenInfo, TOKENS } from '../../solana/known-tokens.ts';

/** The day whose market prices these resemble. They are rounded, to give tests realistic proportions. */
export const PRICES_IMITATE = '2025-09-01';

/** Billionths of a US dollar per whole token. */
const NANO_USD: Readonly<Record<string, bigint>> = {
  SOL: 200_000_000_000n,
  USDC: 1_000_000_000n,
  USDT: 1_000_000_000n,
  PYUSD: 1_000_000_000n,
  JUP: 490_000_000n,
  BONK: 20_500n,
  WIF: 800_000_000n,
  PYTH: 165_000_000n,
  RAY: 3_400_000_000n,
  ORCA: 2_200_000_000n,
  JTO: 1_800_000_000n,
  cbBTC: 108_500_000_000_000n,
  WBTC: 108_400_000_000_000n,
  WETH: 4_380_000_000_000n,
  RENDER: 3_500_000_000n,
  HNT: 2_450_000_000n,
  JLP: 5_500_000_000n,
  BERN: 1_000_000n,
  JupUSD: 1_000_000_000n,
};

/** The worth of a whole staked-SOL token in millionths of a SOL. */
const MICRO_SOL: Readonly<Record<string, bigint>> = {
  JitoSOL: 1_228_000n,
  mSOL: 1_326_000n,
  JupSOL: 1_137_000n,
  INF: 1_378_000n,
};

const PRICES: ReadonlyMap<TokenInfo, bigint> = new Map(
  TOKENS.map((token) => [token, getNanoUsd(token.symbol)]),
);

/**
 * Returns the amount of a token that US dollars buy, in atoms, rounded down.
 *
 * @param usd - Whole US dollars.
 *
 * @example
 * ```ts
 * import { computeAtomsWorth } from './prices.ts';
 * import { getGenesisToken } from '../../solana/known-tokens.ts';
 *
 * computeAtomsWorth(5n, getGenesisToken('USDC')); // 5_000_000n
 * ```
 */
export function computeAtomsWorth(usd: bigint, token: TokenInfo): bigint {
  const price = PRICES.get(token);
  if (price === undefined) throw new RangeError(`${token.symbol} is no token of the genesis`);
  return (usd * 1_000_000_000n * 10n ** BigInt(token.decimals)) / price;
}

/** Returns the worth of a whole token of staked SOL in millionths of a SOL. Null for all other tokens. */
export function findMicroSol(symbol: string): bigint | null {
  return MICRO_SOL[symbol] ?? null;
}

/**
 * Returns the price of a whole token in billionths of a US dollar.
 *
 * @throws Error for a symbol that is not in the genesis.
 */
export function getNanoUsd(symbol: string): bigint {
  const solPrice = NANO_USD.SOL;
  const inSol = MICRO_SOL[symbol];
  const price =
    inSol !== undefined && solPrice !== undefined ? (solPrice * inSol) / 1_000_000n : NANO_USD[symbol];
  if (price === undefined) throw new Error(`the genesis has no price for ${symbol}`);
  return price;
}
