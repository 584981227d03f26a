import type { Party } from '../../../common/party.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { type After, Gate } from '../../limits/gate.ts';

/** How many calls may wait for a place, for each place. */
const WAITING_FACTOR = 2;
const MAX_WAIT_MS = 2_000;
const RETRY_AFTER_SECONDS = 1;

/** The calls of the network that pages make at once. Each caller has a share of the places, and of those that wait for one. */
export class CallPlaces {
  readonly #gate: Gate;

  constructor(places: number, after: After) {
    this.#gate = new Gate(
      { maxInside: places, maxWaiting: places * WAITING_FACTOR, maxWaitMs: MAX_WAIT_MS },
      after,
    );
  }

  /** Does the work as soon as the caller has a place. @throws Unavailable if it gets none in time */
  async run<T>({ kind, id }: Party, work: () => Promise<T>): Promise<T> {
    const caller = this.#gate.caller(kind, id);
    await new Promise<void>((enter, refuse) => {
      this.#gate.ask(caller, enter, () =>
        refuse(
          new Unavailable('Too many calls of pages wait for the network', {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          }),
        ),
      );
    });
    try {
      return await work();
    } finally {
      caller.leave();
    }
  }
}
