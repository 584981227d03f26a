import { fetchRaw } from '../../../api/raw-query.ts';
import { DOLLAR_DECIMALS, formatDollars } from '../../../base/format-dollars.ts';
import { formatUnits } from '../../../base/format-amount.ts';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';
import { getFixed, getItems, getText, getWhole, listItems } from '../../../base/read-json.ts';
import type { ExactJson } from '../../../base/exact-json.ts';

/** A value that a control may have changed. */
export interface EffectValue {
  readonly text: string;
  /** For the comparison of before and after. */
  readonly size: number;
  /** The pool that the value is of. */
  readonly pool?: string;
}

/** The token whose price is moved. */
export interface MovedToken {
  readonly symbol: string;
  readonly mint: string;
  readonly decimals: number;
}

const SOL: MovedToken = { symbol: 'SOL', mint: SOL_MINT, decimals: 9 };
const USDC_DECIMALS = 6;
/** Candidates of a search by symbol. */
const MAX_DECIMALS = 18;

/** Finds the token of a feed. A feed whose token is not known, and that of USDC itself, are seen at the price of SOL. */
export async function findMovedToken(symbol: string): Promise<MovedToken> {
  if (symbol === SOL.symbol || symbol === 'USDC') return SOL;
  const { exact } = await fetchRaw(`/tokens/v2/search?${new URLSearchParams({ query: symbol })}`);
  for (const token of listItems(exact)) {
    const [mint, decimals] = [getText(token, 'id'), getWhole(token, 'decimals')];
    if (getText(token, 'symbol') !== symbol || mint === null || decimals === null) continue;
    if (decimals >= 0n && decimals <= MAX_DECIMALS) return { symbol, mint, decimals: Number(decimals) };
  }
  return SOL;
}

/** Returns the path that quotes whole tokens for USDC. @param whole - How many of them. */
export function buildQuotePath({ mint, decimals }: MovedToken, whole: bigint): string {
  const amount = (whole * 10n ** BigInt(decimals)).toString();
  return `/swap/v2/order?${new URLSearchParams({ inputMint: mint, outputMint: USDC_MINT, amount })}`;
}

/** Asks for the best quote. @throws as `fetchRaw` */
export async function fetchQuoteEffect(token: MovedToken, whole: bigint): Promise<EffectValue> {
  const { exact } = await fetchRaw(buildQuotePath(token, whole));
  const out = getWhole(exact, 'outAmount');
  if (out === null) throw new Error('The quote has no amount.');
  return { text: `${formatUnits(out, USDC_DECIMALS)} USDC`, size: Number(out) };
}

/** Asks for the deepest pool of a token, preferably against USDC. Returns null where there is none. @throws as `fetchRaw` */
export async function fetchPoolEffect({ mint, symbol }: MovedToken): Promise<EffectValue | null> {
  const { exact } = await fetchRaw(`/portal/data/pools?${new URLSearchParams({ mint, limit: '50' })}`);
  const pools = getItems(exact, 'pools').flatMap((pool) => toPoolEffect(pool, mint, symbol));
  return pools.find(({ text }) => text.endsWith(' USDC')) ?? pools[0] ?? null;
}

/** Asks for the value of a wallet. @throws as `fetchRaw` */
export async function fetchPortfolioEffect(wallet: string): Promise<EffectValue> {
  const { exact } = await fetchRaw(`/portfolio/v1/positions/${encodeURIComponent(wallet)}`);
  const values = getItems(exact, 'elements').map(
    (element) => getFixed(element, 'value', DOLLAR_DECIMALS) ?? 0n,
  );
  const value = values.reduce((sum, each) => sum + each, 0n);
  return { text: formatDollars(value), size: Number(value) };
}

/** Formats by how much a value has changed. */
export function formatEffectChange(before: EffectValue, after: EffectValue): string {
  if (before.text === after.text) return 'unchanged';
  if (before.size === 0) return 'changed';
  const percent = ((after.size - before.size) / before.size) * 100;
  const sign = percent > 0 ? '+' : '\u2212';
  return `${sign}${Math.abs(percent).toFixed(2)}%`;
}

function toPoolEffect(pool: ExactJson, mint: string, symbol: string): readonly EffectValue[] {
  const tokens = getItems(pool, 'pair');
  const [address, price] = [getText(pool, 'address'), getFixed(pool, 'price', 24)];
  const first = tokens[0];
  if (address === null || price === null || price <= 0n || first === undefined) return [];
  const isFirst = getText(first, 'mint') === mint;
  const other = getText(isFirst ? tokens[1] : first, 'symbol') ?? 'the other token';
  const size = isFirst ? Number(price) / 1e24 : 1e24 / Number(price);
  return [{ pool: address, size, text: `1 ${symbol} = ${formatSize(size)} ${other.slice(0, 16)}` }];
}

/** A price of a pool is a coordinate: six digits say what a reader can see in its chart. */
function formatSize(size: number): string {
  const places = Math.max(0, 5 - Math.floor(Math.log10(size)));
  return size.toFixed(Math.min(places, 12));
}
