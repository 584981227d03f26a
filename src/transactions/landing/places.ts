import { type Party, toPartyKey } from '../../common/party.ts';

/**
 * Returns the submitter of a transaction from before a restart. The addresses of callers without a key are not stored, so
 * each of their transactions counts as that of another caller.
 * @param organisationId - Null for a caller without a key.
 */
export function toSubmitterBeforeRestart(organisationId: string | null, signature: string): Party {
  return organisationId === null
    ? { kind: 'client', id: `of before the restart: ${signature}` }
    : { kind: 'organisation', id: organisationId };
}

/** How many transactions may be on their way at once. */
export interface PlaceLimits {
  readonly all: number;
  /** The limit of all clients without a key together. It leaves room for organisations. */
  readonly clients: number;
  /** The limit of each organisation, and of each client. */
  readonly each: Readonly<Record<Party['kind'], number>>;
}

export const PLACE_LIMITS: PlaceLimits = {
  all: 10_000,
  clients: 2_500,
  each: { organisation: 2_000, client: 200 },
};

/**
 * Counts the transactions in flight of each submitter. A transaction that never lands holds its place, and its memory,
 * until its blockhash has expired.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #taken = new Map<string, number>();
  #all = 0;
  #clients = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Returns why there is no place; null if one was taken. */
  take(submitter: Party): 'submitter-is-full' | 'all-full' | null {
    const key = toPartyKey(submitter);
    const { kind } = submitter;
    const own = this.#taken.get(key) ?? 0;
    if (own >= this.#limits.each[kind]) return 'submitter-is-full';
    if (this.#all >= this.#limits.all) return 'all-full';
    if (kind === 'client' && this.#clients >= this.#limits.clients) return 'all-full';
    this.#taken.set(key, own + 1);
    this.#all++;
    if (kind === 'client') this.#clients++;
    return null;
  }

  giveBack(submitter: Party): void {
    const key = toPartyKey(submitter);
    const own = this.#taken.get(key) ?? 0;
    if (own <= 1) this.#taken.delete(key);
    else this.#taken.set(key, own - 1);
    this.#all--;
    if (submitter.kind === 'client') this.#clients--;
  }
}
