import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import { type Party, toPartyKey } from '../../../common/party.ts';
import { SlidingLog } from '../../limits/sliding-log.ts';

/** How much may be used in a minute. */
export interface BudgetLimits {
  /** By all callers together. */
  readonly forAll: number;
  /** By one organisation, or one client without a key. */
  readonly forCaller: number;
  /** By all clients without a key together, because one person may have many addresses. */
  readonly forClients: number;
}

/** Callers that are counted at once. Those that have used nothing for longest are forgotten. */
const MAX_CALLERS = 1_000;

/** What was used in the last minute, by whom. Nothing is taken from a caller's part for what is refused. */
export class MinuteBudget {
  readonly #limits: BudgetLimits;
  readonly #all = new SlidingLog();
  readonly #clients = new SlidingLog();
  readonly #callers = new BoundedCache<string, SlidingLog>(MAX_CALLERS);

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /**
   * Takes some uses, all of them or none.
   *
   * @param now - Unix milliseconds.
   * @param uses - Default 1.
   * @returns Null, or whose part is used up and how long it takes until there is more.
   */
  take(
    caller: Party,
    now: number,
    uses = 1,
  ): { readonly spent: 'caller' | 'clients' | 'all'; readonly waitMs: number } | null {
    const { forAll, forCaller, forClients } = this.#limits;
    const key = toPartyKey(caller);
    const own = this.#callers.get(key) ?? new SlidingLog();
    this.#callers.set(key, own);
    const steps = [
      { spent: 'caller', log: own, limit: forCaller },
      ...(caller.kind === 'client'
        ? [{ spent: 'clients', log: this.#clients, limit: forClients } as const]
        : []),
      { spent: 'all', log: this.#all, limit: forAll },
    ] as const;
    const taken: SlidingLog[] = [];
    for (let use = 0; use < uses; use++) {
      for (const { spent, log, limit } of steps) {
        const { admitted, freesAt } = log.hit(now, limit);
        if (!admitted) {
          for (const each of taken) each.takeBack();
          return { spent, waitMs: Math.max(0, freesAt - now) };
        }
        taken.push(log);
      }
    }
    return null;
  }
}
