import { type ExactJson, isExactList } from '../../../../base/exact-json.ts';
import { shortenAddress, shortenName } from '../../../../base/format-text.ts';
import { getFixed, getMember, getText, getWhole, isFlagSet } from '../../../../base/read-json.ts';
import { getIsoTime } from '../../../../base/read-times.ts';

/** A launched token in the list. Its name and symbol are texts that its creator has chosen. */
export interface LaunchView {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly isVerified: boolean;
  readonly createdAt: number | null;
  readonly creator: string | null;
  /** How much of the target is raised, in millionths; null once it has graduated, and where nobody knows it. */
  readonly progress: bigint | null;
  readonly graduatedPool: string | null;
  readonly graduatedAt: number | null;
  /** Billionths of a dollar for one token; null where nothing prices it. */
  readonly price: bigint | null;
  readonly marketCap: bigint | null;
  readonly liquidity: bigint | null;
}

/** Tokens of the list that are looked at. The interface lists thirty. */
const MAX_TOKENS = 200;
const DOLLAR_PLACES = 9;
/** Digits of prices: tokens of launches cost far less than a billionth of a dollar at times. */
export const LAUNCH_PRICE_PLACES = 24;

/** Reads a list of tokens, and leaves out what was not launched on a curve. */
export function parseLaunches(answer: ExactJson): readonly LaunchView[] {
  const tokens = isExactList(answer) ? answer.slice(0, MAX_TOKENS) : [];
  return tokens.flatMap((token) => parseLaunch(token) ?? []);
}

function parseLaunch(token: ExactJson): LaunchView | null {
  const mint = getText(token, 'id');
  if (mint === null || getText(token, 'launchpad') === null) return null;
  const percent = getFixed(token, 'bondingCurve', 4);
  return {
    mint,
    symbol: shortenName(getText(token, 'symbol') ?? '', 16) || shortenAddress(mint),
    name: shortenName(getText(token, 'name') ?? '', 48) || 'Token without a name',
    isVerified: isFlagSet(token, 'isVerified'),
    createdAt: getIsoTime(token, 'createdAt'),
    creator: getText(token, 'dev'),
    progress: percent === null ? null : clampShare(percent),
    graduatedPool: getText(token, 'graduatedPool'),
    graduatedAt: getIsoTime(token, 'graduatedAt'),
    price: getFixed(token, 'usdPrice', LAUNCH_PRICE_PLACES),
    marketCap: getFixed(token, 'mcap', DOLLAR_PLACES),
    liquidity: getFixed(token, 'liquidity', DOLLAR_PLACES),
  };
}

/** Keeps a share between nothing and the whole, in millionths. */
function clampShare(millionths: bigint): bigint {
  return millionths < 0n ? 0n : millionths > 1_000_000n ? 1_000_000n : millionths;
}

/** A point of the curve of a launch. */
export interface CurvePointView {
  /** Base units of the launched token. */
  readonly sold: bigint;
  /** Base units of the quote token. */
  readonly raised: bigint;
  /** Base units of the quote token for a whole token, with `CURVE_PRICE_PLACES` digits behind the point. */
  readonly price: bigint;
}

/** The curve of a launch, and how far it is. */
export interface CurveView {
  readonly pool: string;
  readonly quoteMint: string;
  readonly decimals: number;
  /** Base units of the quote token. */
  readonly target: bigint;
  readonly isComplete: boolean;
  readonly isMigrated: boolean;
  readonly now: CurvePointView;
  readonly points: readonly CurvePointView[];
  /** How much of the target is raised, in millionths. */
  readonly progress: bigint;
}

export const CURVE_PRICE_PLACES = 12;
const MAX_POINTS = 200;
const MAX_DECIMALS = 30n;

/** Reads the answer of `GET /studio/v1/dbc-pool/curve/{mint}`; null if it is no curve. */
export function parseCurve(answer: ExactJson): CurveView | null {
  const pool = getText(answer, 'poolAddress');
  const quoteMint = getText(answer, 'quoteMint');
  const decimals = getWhole(answer, 'tokenDecimal');
  const target = getWhole(answer, 'target');
  const now = parsePoint(getMember(answer, 'now'));
  const list = getMember(answer, 'points');
  if (pool === null || quoteMint === null || decimals === null || target === null || now === null)
    return null;
  if (decimals < 0n || decimals > MAX_DECIMALS || target <= 0n) return null;
  return {
    pool,
    quoteMint,
    decimals: Number(decimals),
    target,
    isComplete: isFlagSet(answer, 'isComplete'),
    isMigrated: isFlagSet(answer, 'isMigrated'),
    now,
    points: (isExactList(list) ? list.slice(0, MAX_POINTS) : []).flatMap((point) => parsePoint(point) ?? []),
    // What a curve has raised has left its pool after the migration.
    progress: isFlagSet(answer, 'isComplete') ? 1_000_000n : clampShare((now.raised * 1_000_000n) / target),
  };
}

function parsePoint(point: ExactJson | undefined): CurvePointView | null {
  const sold = getWhole(point, 'sold');
  const raised = getWhole(point, 'raised');
  const price = getFixed(point, 'price', CURVE_PRICE_PLACES);
  return sold === null || raised === null || price === null ? null : { sold, raised, price };
}
