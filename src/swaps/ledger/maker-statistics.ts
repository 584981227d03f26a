import { LAST_LOOK_BOUNDS, DISTANCE_BOUNDS, chooseInterval } from './statistics-classes.ts';
import type { OrderWinner } from './bid-distance.ts';
import type { LosingReason } from '../engines/maker-bid.ts';
import { BID_TABLE } from './ledger-columns.ts';
import type { OrderLedger } from './order-ledger.ts';

/** What a maker did in a range of time. */
export interface LedgerStatistics {
  /** Whether all orders of the range were added up; false if only the newest of them were. */
  readonly isComplete: boolean;
  /** Orders for which it was considered. */
  readonly considered: number;
  readonly won: number;
  /** Lost orders by their reasons. */
  readonly lost: readonly { readonly reason: LosingReason; readonly orders: number }[];
  /**
   * Orders that were lost by the price, by how much better the order was for the taker: one count for each of
   * `DISTANCE_BOUNDS`, and one for everything above. Those of which it is not known are in no class.
   */
  readonly behind: readonly number[];
  readonly behindUnknown: number;
  /** Orders that were lost by the price, by who was better. */
  readonly lostTo: readonly { readonly winner: OrderWinner; readonly orders: number }[];
  /** Fills by their states. */
  readonly fills: readonly { readonly state: string; readonly fills: number }[];
  /** Milliseconds from the offer to the answer; null without an answer. */
  readonly lastLook: LastLookTimes | null;
  /** Answers at last look: one count for each of `LAST_LOOK_BOUNDS`, and one for everything above. */
  readonly lastLookTimes: readonly number[];
  /** Offered fills by what the maker answered. */
  readonly answers: LastLookAnswers;
  /** What happened in each interval of time in which anything did, the oldest first. */
  readonly interval: number;
  readonly overTime: readonly StatisticsInterval[];
  /** What its fills moved, by mint. */
  readonly volume: readonly LedgerVolume[];
  /** The value of these fills, without those that no pool prices. */
  readonly microDollars: bigint;
}

export interface LastLookTimes {
  readonly answers: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface LastLookAnswers {
  readonly signed: number;
  /** Of webhooks. */
  readonly accepted: number;
  readonly rejected: number;
  /** Fills that ended without an answer. */
  readonly unanswered: number;
  /** Fills that were returned with another message. */
  readonly tampered: number;
}

/** What happened in an interval of time, by when the orders were given out. */
export interface StatisticsInterval {
  /** Unix milliseconds of its beginning. */
  readonly at: number;
  readonly considered: number;
  readonly won: number;
  /** The fills of these orders that the maker was offered, and those that landed. */
  readonly offered: number;
  readonly filled: number;
}

/** Atoms of a mint. */
export interface LedgerVolume {
  readonly mint: string;
  readonly paid: bigint;
  readonly received: bigint;
}

/** The most mints with amounts; of others only the dollars are counted. */
const MAX_MINTS = 256;

/**
 * The most orders that are added up. A maker can ask again and again, and on SQLite the thread that answers it also writes
 * the request log.
 */
export const MAX_ADDED_UP = 20_000;

/**
 * Adds up what the ledger has of one maker: the newest orders of the range, at most `most`. What this process has noted is
 * written first. All is one query, which reads the rows once.
 */
export async function readMakerStatistics(
  ledger: OrderLedger,
  makerId: string,
  { since, until }: { readonly since: number; readonly until: number },
  most = MAX_ADDED_UP,
): Promise<LedgerStatistics> {
  await ledger.flush();
  const interval = chooseInterval(until - since);
  const rows = await ledger.database.query(createStatisticsQuery(most, interval), [makerId, since, until]);
  const parts = (part: StatisticsPart) =>
    rows.flatMap(([name, ...cells]) => (name === part ? [cells] : [])).sort(compareNames);
  const results = parts('result');
  const lost = results.flatMap(([reason, count]) =>
    reason === null ? [] : [{ reason: String(reason) as LosingReason, orders: Number(count) }],
  );
  const wins = Number(results.find(([reason]) => reason === null)?.[1] ?? 0);
  const considered = wins + lost.reduce((sum, { orders }) => sum + orders, 0);
  const count = (part: StatisticsPart) => Number(parts(part)[0]?.[1] ?? 0);
  const answers = count('answers');
  const classes = (part: StatisticsPart) =>
    new Map(parts(part).map(([name, counted]) => [String(name), Number(counted)]));
  const [behind, looks, kinds] = [classes('behind'), classes('took'), classes('answer')];
  const answered = (kind: keyof LastLookAnswers) => kinds.get(kind) ?? 0;
  return {
    isComplete: considered < most,
    considered,
    won: wins,
    lost,
    behind: [...DISTANCE_BOUNDS, ABOVE].map((bound) => behind.get(String(bound)) ?? 0),
    behindUnknown: behind.get(UNKNOWN) ?? 0,
    lostTo: parts('lost to').map(([winner, orders]) => ({
      winner: String(winner) as OrderWinner,
      orders: Number(orders),
    })),
    fills: parts('state').map(([state, fills]) => ({ state: String(state), fills: Number(fills) })),
    lastLook: answers === 0 ? null : readTimes(answers, count),
    lastLookTimes: [...LAST_LOOK_BOUNDS, ABOVE].map((bound) => looks.get(String(bound)) ?? 0),
    answers: {
      signed: answered('signed'),
      accepted: answered('accepted'),
      rejected: answered('rejected'),
      unanswered: answered('unanswered'),
      tampered: answered('tampered'),
    },
    interval,
    overTime: joinIntervals(parts('orders at'), parts('fills at')),
    volume: joinVolumes(parts('paid'), parts('received')),
    microDollars: readExactSum(parts('dollars')[0]?.slice(2) ?? []),
  };
}

const ABOVE = 'more';
const UNKNOWN = 'unknown';
/** The name of what a maker answered. Another message than the offered one counts as that, whatever else is noted. */
const ANSWER = "case when state = 'rejected' then 'tampered' else coalesce(answer, 'unanswered') end";

/** Returns the SQL of the lowest bound that a column does not exceed, as text. */
function toClass(column: string, bounds: readonly number[], unknown: string): string {
  const cases = bounds.map((bound) => `when ${column} <= ${bound} then '${bound}'`);
  return `case when ${column} is null then '${unknown}' ${cases.join(' ')} else '${ABOVE}' end`;
}

function readTimes(answers: number, count: (part: StatisticsPart) => number): LastLookTimes {
  return {
    answers,
    p50: count('p50'),
    p90: count('p90'),
    p95: count('p95'),
    p99: count('p99'),
    max: count('longest'),
  };
}

/** @param orders - Rows of a beginning and two counts, as of `fills`. */
function joinIntervals(
  orders: readonly (readonly unknown[])[],
  fills: readonly (readonly unknown[])[],
): readonly StatisticsInterval[] {
  const filled = new Map(fills.map(([at, ...counts]) => [Number(at), counts.map(Number)]));
  return orders
    .map(([at, considered, won]) => {
      const [offered = 0, landed = 0] = filled.get(Number(at)) ?? [];
      return { at: Number(at), considered: Number(considered), won: Number(won), offered, filled: landed };
    })
    .sort((one, other) => one.at - other.at);
}

type StatisticsPart =
  | 'result'
  | 'state'
  | 'dollars'
  | 'answers'
  | 'longest'
  | 'p50'
  | 'p90'
  | 'p95'
  | 'p99'
  | 'behind'
  | 'lost to'
  | 'took'
  | 'answer'
  | 'orders at'
  | 'fills at'
  | 'paid'
  | 'received';

/** Each row has the part to which it belongs, a name, a count, and the two parts of an exact sum. */
function createStatisticsQuery(most: number, interval: number): string {
  const took = 'case when answered_at >= offered_at then answered_at - offered_at end as took';
  const columns = `at, behind, lost_to, answer, lost, state, ${took}, paid_mint, paid, received_mint, received, micro_dollars`;
  const newest = `select ${columns} from ${BID_TABLE.name} where maker = $1 and at >= $2 and at < $3 order by at desc, request_id desc limit ${most}`;
  const place = (percent: number) =>
    `(select case when count(took) = 0 then 0 else (count(took) * ${percent} + 99) / 100 - 1 end from own)`;
  const time = (percent: number) =>
    `(select took from own where took is not null order by took limit 1 offset ${place(percent)})`;
  const counted = (part: StatisticsPart, value: string) =>
    `select '${part}', null, cast(${value} as text), null, null`;
  const volume = (side: 'paid' | 'received') =>
    `select * from (select '${side}', ${side}_mint, cast(count(*) as text), ${createExactSum(side)} from own where ${side} is not null group by ${side}_mint order by count(*) desc, ${side}_mint limit ${MAX_MINTS}) as ${side}_sums`;
  const grouped = (part: StatisticsPart, name: string, condition: string) =>
    `select '${part}', name, cast(count(*) as text), null, null from (select ${name} as name from own where ${condition}) as named group by name`;
  // The second count is of the rows of an interval that also meet the second condition.
  const overTime = (part: StatisticsPart, condition: string, second: string) =>
    `select '${part}', cast(begun as text), cast(count(*) as text), cast(sum(case when ${second} then 1 else 0 end) as text), null from (select at - at % ${interval} as begun, lost, state from own) as timed where ${condition} group by begun`;
  const parts = [
    `select 'result' as part, lost as name, cast(count(*) as text) as amount, cast(null as text) as high, cast(null as text) as low from own group by lost`,
    `select 'state', state, cast(count(*) as text), null, null from own where state is not null group by state`,
    `select 'dollars', null, null, ${createExactSum('micro_dollars')} from own where micro_dollars is not null`,
    `${counted('answers', 'count(took)')} from own`,
    `${counted('longest', 'max(took)')} from own`,
    counted('p50', time(50)),
    counted('p90', time(90)),
    counted('p95', time(95)),
    counted('p99', time(99)),
    grouped('behind', toClass('behind', DISTANCE_BOUNDS, UNKNOWN), "lost = 'price'"),
    grouped('lost to', 'lost_to', "lost = 'price' and lost_to is not null"),
    grouped('took', toClass('took', LAST_LOOK_BOUNDS, UNKNOWN), 'took is not null'),
    grouped('answer', ANSWER, "state is not null and (state <> 'offered' or answer is not null)"),
    overTime('orders at', '1 = 1', 'lost is null'),
    overTime('fills at', 'state is not null', "state = 'confirmed'"),
    volume('paid'),
    volume('received'),
  ];
  return `with own as materialized (${newest}) ${parts.join(' union all ')}`;
}

/** Orders of the same part; null comes first. */
function compareNames([one]: readonly unknown[], [other]: readonly unknown[]): number {
  const [before, after] = [String(one ?? ''), String(other ?? '')];
  return before < after ? -1 : before > after ? 1 : 0;
}

/** @param paid - Rows of a mint, a count, and a sum. */
function joinVolumes(
  paid: readonly (readonly unknown[])[],
  received: readonly (readonly unknown[])[],
): readonly LedgerVolume[] {
  const sums = new Map<string, { paid: bigint; received: bigint }>();
  for (const [side, rows] of [
    ['paid', paid],
    ['received', received],
  ] as const) {
    for (const [mint, , ...sum] of rows) {
      const known = sums.get(String(mint)) ?? { paid: 0n, received: 0n };
      sums.set(String(mint), { ...known, [side]: readExactSum(sum) });
    }
  }
  return [...sums].map(([mint, moved]) => ({ mint, ...moved }));
}

const LOW_DIGITS = 9;
const LOW_UNIT = 10n ** BigInt(LOW_DIGITS);

/**
 * Sums decimal digits that may be those of a u64, which SQLite cannot add: the last nine digits and those before them, each for
 * itself.
 */
function createExactSum(column: string): string {
  const high = `case when length(${column}) > ${LOW_DIGITS} then substr(${column}, 1, length(${column}) - ${LOW_DIGITS}) else '0' end`;
  const low = `case when length(${column}) > ${LOW_DIGITS} then substr(${column}, length(${column}) - ${LOW_DIGITS - 1}) else ${column} end`;
  return `cast(sum(cast(${high} as bigint)) as text), cast(sum(cast(${low} as bigint)) as text)`;
}

function readExactSum([high, low]: readonly unknown[]): bigint {
  return BigInt(String(high ?? 0)) * LOW_UNIT + BigInt(String(low ?? 0));
}
