import type { Statement } from '../../store/log/log-database.ts';
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
  /** Fills by their states. */
  readonly fills: readonly { readonly state: string; readonly fills: number }[];
  /** Milliseconds from the offer to the answer; null without an answer. */
  readonly lastLook: LastLookTimes | null;
  /** What its fills moved, by mint. */
  readonly volume: readonly LedgerVolume[];
  /** The value of these fills, without those that no pool prices. */
  readonly microDollars: bigint;
}

export interface LastLookTimes {
  readonly answers: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
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
 * written first.
 */
export async function readMakerStatistics(
  ledger: OrderLedger,
  makerId: string,
  { since, until }: { readonly since: number; readonly until: number },
  most = MAX_ADDED_UP,
): Promise<LedgerStatistics> {
  await ledger.flush();
  const newest = `select * from ${BID_TABLE.name} where maker = $1 and at >= $2 and at < $3 order by at desc, request_id desc limit ${most}`;
  const own = `from (${newest}) as own where 1 = 1`;
  const parameters: Statement['parameters'] = [makerId, since, until];
  const query = (text: string) => ledger.database.query(text, parameters);
  const results = await query(`select lost, count(*) ${own} group by lost order by lost`);
  const states = await query(
    `select state, count(*) ${own} and state is not null group by state order by state`,
  );
  const [won] = results.filter(([lost]) => lost === null);
  const lost = results.flatMap(([reason, count]) =>
    reason === null ? [] : [{ reason: String(reason) as LosingReason, orders: Number(count) }],
  );
  const wins = Number(won?.[1] ?? 0);
  const [dollars] = await query(
    `select ${createExactSum('micro_dollars')} ${own} and micro_dollars is not null`,
  );
  const considered = wins + lost.reduce((sum, { orders }) => sum + orders, 0);
  return {
    isComplete: considered < most,
    considered,
    won: wins,
    lost,
    fills: states.map(([state, count]) => ({ state: String(state), fills: Number(count) })),
    lastLook: await readLastLook(query, own),
    volume: await readVolume(query, own),
    microDollars: readExactSum(dollars ?? []),
  };
}

type AskDatabase = (text: string) => Promise<unknown[][]>;

async function readLastLook(query: AskDatabase, own: string): Promise<LastLookTimes | null> {
  const answered = `${own} and answered_at >= offered_at`;
  const time = 'answered_at - offered_at';
  const [[count, longest] = []] = await query(`select count(*), max(${time}) ${answered}`);
  const answers = Number(count ?? 0);
  if (answers === 0) return null;
  const at = async (share: number) => {
    const before = Math.max(Math.ceil(answers * share) - 1, 0);
    const [[found] = []] = await query(`select ${time} ${answered} order by 1 limit 1 offset ${before}`);
    return Number(found ?? 0);
  };
  return { answers, p50: await at(0.5), p95: await at(0.95), max: Number(longest) };
}

async function readVolume(query: AskDatabase, own: string): Promise<readonly LedgerVolume[]> {
  const sums = new Map<string, { paid: bigint; received: bigint }>();
  for (const side of ['paid', 'received'] as const) {
    const text = `select ${side}_mint, ${createExactSum(side)} ${own} and ${side} is not null group by ${side}_mint order by count(*) desc, ${side}_mint limit ${MAX_MINTS}`;
    for (const [mint, ...sum] of await query(text)) {
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
  return `sum(cast(${high} as bigint)), sum(cast(${low} as bigint))`;
}

function readExactSum([high, low]: readonly unknown[]): bigint {
  return BigInt(String(high ?? 0)) * LOW_UNIT + BigInt(String(low ?? 0));
}
