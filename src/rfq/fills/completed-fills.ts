import { OldestFirst } from '../../common/collections/oldest-first.ts';
import { FAILURE_REASONS } from './failure-reasons.ts';
import type { FillState } from './fill-state.ts';

export interface CompletedFill {
  readonly makerId: string;
  readonly signature: string;
  readonly state: FillState;
  /** How it ended, where that is not what the state says; null otherwise. */
  readonly why: string | null;
}

/** The last swaps that came to an end, so that makers are told apart what is late and what never was. */
export class CompletedFills {
  readonly #most: number;
  readonly #ended = new OldestFirst<string, CompletedFill>();

  constructor(most: number) {
    this.#most = most;
  }

  add(swapUuid: string, ended: CompletedFill): void {
    this.#ended.set(swapUuid, ended);
    const oldest = this.#ended.size > this.#most ? this.#ended.oldest() : null;
    if (oldest !== null) this.#ended.delete(oldest[0]);
  }

  get(swapUuid: string): CompletedFill | null {
    return this.#ended.get(swapUuid) ?? null;
  }

  /** What a maker is told that returns a swap for which nobody waits. */
  answer(makerId: string, swapUuid: string): string {
    const ended = this.#ended.get(swapUuid);
    return ended?.makerId === makerId
      ? `the swap ${swapUuid} is over: ${ended.why ?? FAILURE_REASONS[ended.state]}`
      : `there is no swap ${swapUuid} of this maker that waits for a signature`;
  }
}
