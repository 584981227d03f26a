import { toLatencyBucket } from './latency-buckets.ts';
import {
  COUNTED_NAMES,
  type CountsName,
  type CountedTable,
  getCountedTable,
  MINUTE_MS,
  RESOLUTIONS,
  type Resolution,
} from './log-tables.ts';
import type { EntryOwner, RequestEntry } from './request-entry.ts';

/** The counts of one key, one endpoint and one minute. */
interface Cell {
  readonly minute: number;
  readonly owner: EntryOwner;
  readonly endpoint: string;
  credits: number;
  /** Requests by status. */
  readonly statuses: Map<number, number>;
  /** Requests by country; an empty key stands for unknown countries. */
  readonly countries: Map<string, number>;
  /** Admitted requests by latency bucket. */
  readonly latency: Map<number, number>;
  /** Requests by rule, and then by outcome. */
  readonly firewall: Map<string, Map<string, number>>;
}

/**
 * Memory is bounded: there are few routes, and a team has at most a thousand keys. Requests beyond this bound are not
 * counted, and the metric of dropped requests shows how many.
 */
const MAX_CELLS = 100_000;
const NOBODY: EntryOwner = { organisationId: '', teamId: '', keyId: '' };

/** Counts requests by minute, key and endpoint until the counts are written. */
export class TrafficCounts {
  readonly #most: number;
  #cells: Cell[] = [];
  /** The cells of the latest counted minute, by key and then by endpoint. */
  #current = new Map<string, Map<string, Cell>>();
  #minute = 0;

  constructor(most = MAX_CELLS) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#cells.length === 0;
  }

  /** Returns false when there was no room for a new cell. */
  add(entry: RequestEntry): boolean {
    const { at, owner, endpoint, status, credits, decision, firewall, country } = entry;
    const cell = this.#cellOf(Math.floor(at / MINUTE_MS), owner ?? NOBODY, endpoint);
    if (cell === null) return false;
    addTo(cell.statuses, status, 1);
    addTo(cell.countries, country ?? '', 1);
    cell.credits += credits;
    if (decision === 'admitted') {
      addTo(cell.latency, toLatencyBucket(entry.gatewayUs + entry.handlerUs + entry.sendUs), 1);
    }
    if (firewall !== null) {
      for (const rule of firewall.matched) addOutcome(cell, rule, 'matched');
      addOutcome(cell, firewall.rule, firewall.outcome);
    }
    return true;
  }

  /**
   * Removes and returns all counts, as JSON for each table. Rows are sorted, so that two instances cannot deadlock.
   */
  take(): readonly (readonly [CountedTable, string])[] {
    const cells = this.#cells;
    this.#cells = [];
    this.#current = new Map();
    return (Object.keys(RESOLUTIONS) as Resolution[]).flatMap((resolution) => {
      const sums = computeSums(cells, RESOLUTIONS[resolution] / MINUTE_MS);
      return COUNTED_NAMES.flatMap((counted) =>
        sums[counted].isEmpty ? [] : [[getCountedTable(resolution, counted), sums[counted].json()] as const],
      );
    });
  }

  #cellOf(minute: number, owner: EntryOwner, endpoint: string): Cell | null {
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#current = new Map();
    }
    let ofKey = this.#current.get(owner.keyId);
    const known = ofKey?.get(endpoint);
    if (known !== undefined) return known;
    if (this.#cells.length >= this.#most) return null;
    const cell: Cell = {
      minute,
      owner,
      endpoint,
      credits: 0,
      statuses: new Map(),
      countries: new Map(),
      latency: new Map(),
      firewall: new Map(),
    };
    ofKey ??= new Map();
    ofKey.set(endpoint, cell);
    this.#current.set(owner.keyId, ofKey);
    this.#cells.push(cell);
    return cell;
  }
}

/**
 * Sums the cells for each table.
 * @param minutes - Length of one row in minutes.
 */
function computeSums(cells: readonly Cell[], minutes: number): Readonly<Record<CountsName, Sums>> {
  const sums = {
    traffic: new Sums(),
    latency: new Sums(),
    firewall_traffic: new Sums(),
    status_traffic: new Sums(),
    country_traffic: new Sums(),
  };
  for (const { minute, owner, endpoint, credits, statuses, countries, latency, firewall } of cells) {
    const team = [Math.floor(minute / minutes), owner.organisationId, owner.teamId];
    let [requests, clientErrors, serverErrors] = [0, 0, 0];
    for (const [status, count] of statuses) {
      requests += count;
      if (status >= 500) serverErrors += count;
      else if (status >= 400) clientErrors += count;
      sums.status_traffic.add([...team, status], [count]);
    }
    sums.traffic.add([...team, owner.keyId, endpoint], [requests, clientErrors, serverErrors, credits]);
    for (const [country, count] of countries) sums.country_traffic.add([...team, country], [count]);
    for (const [bucket, count] of latency) sums.latency.add([...team, endpoint, bucket], [count]);
    for (const [rule, outcomes] of firewall) {
      for (const [outcome, count] of outcomes) sums.firewall_traffic.add([...team, rule, outcome], [count]);
    }
  }
  return sums;
}

/** Rows that are summed when their keys are equal. */
class Sums {
  readonly #rows = new Map<
    string,
    { readonly keys: readonly (string | number)[]; readonly sums: number[] }
  >();

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  add(keys: readonly (string | number)[], sums: readonly number[]): void {
    const name = JSON.stringify(keys);
    const row = this.#rows.get(name);
    if (row === undefined) this.#rows.set(name, { keys, sums: [...sums] });
    else for (const [index, sum] of sums.entries()) row.sums[index] = (row.sums[index] ?? 0) + sum;
  }

  json(): string {
    const sorted = [...this.#rows].sort(([one], [other]) => (one < other ? -1 : 1));
    return JSON.stringify(sorted.map(([, { keys, sums }]) => [...keys, ...sums]));
  }
}

function addOutcome(cell: Cell, rule: string, outcome: string): void {
  let outcomes = cell.firewall.get(rule);
  if (outcomes === undefined) {
    outcomes = new Map();
    cell.firewall.set(rule, outcomes);
  }
  addTo(outcomes, outcome, 1);
}

function addTo<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
