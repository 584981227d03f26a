import { bucketOf } from './latency-buckets.ts';
import { type CountedTable, HOUR_MS } from './log-tables.ts';
import type { EntryOwner, RequestEntry } from './request-entry.ts';

/** What is counted of one key's requests to one endpoint in one hour. */
interface Cell {
  readonly hour: number;
  readonly owner: EntryOwner;
  readonly endpoint: string;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  credits: number;
  /** Of admitted requests, by bucket. */
  readonly latency: Map<number, number>;
  /** By rule, and then by outcome. */
  readonly firewall: Map<string, Map<string, number>>;
}

/** A route is one of few, a key one of a thousand in a team: what is beyond this is lost, and counted as such. */
const MAX_CELLS = 100_000;
const NOBODY: EntryOwner = { organisationId: '', teamId: '', keyId: '' };

/** What is counted of requests until it is written: sums by hour, key and endpoint. */
export class Counts {
  readonly #most: number;
  #cells: Cell[] = [];
  /** By key, and then by endpoint, of the hour that was counted last. */
  #current = new Map<string, Map<string, Cell>>();
  #hour = 0;

  constructor(most = MAX_CELLS) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#cells.length === 0;
  }

  /** False when it found no room. */
  add(entry: RequestEntry): boolean {
    const { at, owner, endpoint, status, credits, decision, firewall } = entry;
    const cell = this.#cellOf(Math.floor(at / HOUR_MS), owner ?? NOBODY, endpoint);
    if (cell === null) return false;
    cell.requests++;
    if (status >= 500) cell.serverErrors++;
    else if (status >= 400) cell.clientErrors++;
    cell.credits += credits;
    if (decision === 'admitted') {
      addTo(cell.latency, bucketOf(entry.gatewayUs + entry.handlerUs + entry.sendUs), 1);
    }
    if (firewall !== null) {
      for (const rule of firewall.matched) addOutcome(cell, rule, 'matched');
      addOutcome(cell, firewall.rule, firewall.outcome);
    }
    return true;
  }

  /** Takes everything out, as JSON per table: rows in one order, so that instances cannot wait for each other. */
  take(): readonly (readonly [CountedTable, string])[] {
    const cells = this.#cells;
    this.#cells = [];
    this.#current = new Map();
    const traffic = new Sums();
    const latency = new Sums();
    const firewall = new Sums();
    for (const cell of cells) {
      const { hour, owner, endpoint, requests, clientErrors, serverErrors, credits } = cell;
      const { organisationId, teamId, keyId } = owner;
      traffic.add(
        [hour, organisationId, teamId, keyId, endpoint],
        [requests, clientErrors, serverErrors, credits],
      );
      for (const [bucket, count] of cell.latency) {
        latency.add([hour, organisationId, teamId, endpoint, bucket], [count]);
      }
      for (const [rule, outcomes] of cell.firewall) {
        for (const [outcome, count] of outcomes) {
          firewall.add([hour, organisationId, teamId, rule, outcome], [count]);
        }
      }
    }
    const tables = { traffic, latency, firewall_traffic: firewall };
    return (Object.keys(tables) as CountedTable[]).flatMap((table) =>
      tables[table].isEmpty ? [] : [[table, tables[table].json()] as const],
    );
  }

  #cellOf(hour: number, owner: EntryOwner, endpoint: string): Cell | null {
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#current = new Map();
    }
    let ofKey = this.#current.get(owner.keyId);
    const known = ofKey?.get(endpoint);
    if (known !== undefined) return known;
    if (this.#cells.length >= this.#most) return null;
    const counted = { requests: 0, clientErrors: 0, serverErrors: 0, credits: 0 };
    const cell: Cell = { hour, owner, endpoint, ...counted, latency: new Map(), firewall: new Map() };
    ofKey ??= new Map();
    ofKey.set(endpoint, cell);
    this.#current.set(owner.keyId, ofKey);
    this.#cells.push(cell);
    return cell;
  }
}

/** Rows that are added up where their keys are the same. */
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
