import { setImmediate } from 'node:timers/promises';
import { SYSTEM_TIMERS, type Timers } from '../../../common/ports/timers.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { TrafficServices } from '../traffic/traffic-services.ts';

/** How many previews of one organisation run or wait. A page asks again while its user still types. */
const MAX_OF_ORGANISATION = 4;
const MAX_TOGETHER = 32;
/** How long a preview may take, from its turn on. What it has not looked at by then is left out. */
const MAX_MS = 5_000;

/** Gives previews their turns: those of one organisation run one after another, and all of them only while nothing else is ready. */
export class FirewallPreviews {
  readonly services: TrafficServices;
  readonly #timers: Pick<Timers, 'now'>;
  /** The previews of each organisation that run or wait, and when the last of them ends. */
  readonly #turns = new Map<string, { count: number; last: Promise<unknown> }>();

  constructor(services: TrafficServices, timers: Pick<Timers, 'now'> = SYSTEM_TIMERS) {
    this.services = services;
    this.#timers = timers;
  }

  /**
   * Runs a preview when those of the same organisation before it have ended.
   *
   * @param work - Is given a function that lets other work run, and says whether there is time for more.
   * @throws Unavailable when too many wait
   */
  async takeTurn<T>(organisation: string, work: (pause: () => Promise<boolean>) => Promise<T>): Promise<T> {
    const turns = this.#turns.get(organisation) ?? { count: 0, last: Promise.resolve() };
    const together = [...this.#turns.values()].reduce((sum, { count }) => sum + count, 0);
    if (turns.count >= MAX_OF_ORGANISATION || together >= MAX_TOGETHER) {
      throw new Unavailable('Too many previews of a firewall run; try again when one has ended');
    }
    this.#turns.set(organisation, turns);
    turns.count++;
    const turn = turns.last.then(() => work(this.#createPause()));
    turns.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      turns.count--;
      if (turns.count === 0) this.#turns.delete(organisation);
    }
  }

  #createPause(): () => Promise<boolean> {
    const end = this.#timers.now() + MAX_MS;
    return async () => {
      await setImmediate();
      return this.#timers.now() < end;
    };
  }
}
