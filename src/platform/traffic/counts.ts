import { bucketOf } from './latency-buckets.ts';
import { COUNTED_TABLES, type CountedTable, HOUR_MS } from './log-tables.ts';
import type { RequestEntry } from './request-entry.ts';

type Row = (string | number)[];

/** A route is one of few, a key one of a thousand in a team: what is beyond this is lost, and counted as such. */
const MOST_ROWS = 200_000;

/** What is counted of requests until it is written: sums by hour, team, key and endpoint. */
export class Counts {
  readonly #rows: Readonly<Record<CountedTable, Map<string, Row>>> = {
    traffic: new Map(),
    latency: new Map(),
    firewall_traffic: new Map(),
  };
  readonly #most: number;

  constructor(most = MOST_ROWS) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#rows.traffic.size === 0;
  }

  /** False when some of it found no room. */
  add(entry: RequestEntry): boolean {
    const { endpoint, status, credits, owner, decision, firewall } = entry;
    const hour = Math.floor(entry.at / HOUR_MS);
    const { organisationId, teamId, keyId } = owner ?? NOBODY;
    const clientError = status >= 400 && status < 500 ? 1 : 0;
    const serverError = status >= 500 ? 1 : 0;
    let kept = this.#sum(
      'traffic',
      [hour, organisationId, teamId, keyId, endpoint],
      [1, clientError, serverError, credits],
    );
    if (decision === 'admitted') {
      const bucket = bucketOf(entry.gatewayUs + entry.handlerUs + entry.sendUs);
      kept = this.#sum('latency', [hour, organisationId, teamId, endpoint, bucket], [1]) && kept;
    }
    if (firewall !== null) {
      const rows: [string, string][] = firewall.matched.map((rule) => [rule, 'matched']);
      for (const [rule, outcome] of [...rows, [firewall.rule, firewall.outcome] as const]) {
        kept = this.#sum('firewall_traffic', [hour, organisationId, teamId, rule, outcome], [1]) && kept;
      }
    }
    return kept;
  }

  /** Takes everything out, as JSON per table: rows in one order, so that instances cannot wait for each other. */
  take(): readonly (readonly [CountedTable, string])[] {
    return (Object.keys(COUNTED_TABLES) as CountedTable[]).flatMap((table) => {
      const rows = [...this.#rows[table]].sort(([one], [other]) => (one < other ? -1 : 1));
      this.#rows[table].clear();
      return rows.length === 0 ? [] : [[table, JSON.stringify(rows.map(([, row]) => row))] as const];
    });
  }

  #sum(table: CountedTable, keys: readonly (string | number)[], sums: readonly number[]): boolean {
    const rows = this.#rows[table];
    const name = keys.join('\u0000');
    const row = rows.get(name);
    if (row === undefined) {
      if (rows.size >= this.#most) return false;
      rows.set(name, [...keys, ...sums]);
      return true;
    }
    for (const [index, sum] of sums.entries()) {
      const at = keys.length + index;
      row[at] = Number(row[at]) + sum;
    }
    return true;
  }
}

const NOBODY = { organisationId: '', teamId: '', keyId: '' };
