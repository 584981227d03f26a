import { canFollow, computeClockOffset, type PollResult } from './poll-result.ts';

/** Poll results that contradict the known state replace it once this many agree with each other... */
const MIN_AGREEING = 3;
/** ...over at most this time. */
const MAX_BELIEVE_MS = 30_000;
/** A node behind the known slots can only replace them if its clock is at most this far behind. Otherwise it lags. */
const MAX_CLOCK_BEHIND_MS = 30_000;

/** The series of poll results that agree with each other and contradict the known state. */
export class Contradiction {
  readonly #believeMs: number;
  #series: { readonly first: PollResult; last: PollResult; count: number } | null = null;

  /** @param staleMs - See `RpcChainOptions`. A contradiction has to last this long, or 30 seconds, to be believed. */
  constructor(staleMs: number) {
    this.#believeMs = Math.min(staleMs, MAX_BELIEVE_MS);
  }

  /** The newest result of the series. Null while nothing contradicts the known state. */
  get last(): PollResult | null {
    return this.#series?.last ?? null;
  }

  /**
   * Adds a result that cannot follow the known state.
   *
   * Whether the result must replace the known state.
   */
  note(known: PollResult, next: PollResult): boolean {
    const series = this.#series;
    if (series === null || !canFollow(series.last, next, next.at - series.last.at + series.last.tookMs)) {
      this.#series = { first: next, last: next, count: 1 };
      return false;
    }
    series.count++;
    series.last = next;
    const hasMoved = next.confirmed.slot > series.first.confirmed.slot;
    const isLong = series.count >= MIN_AGREEING && next.at - series.first.at >= this.#believeMs;
    // A lagging node that makes progress will catch up, so its results are not believed. Its clock shows the lag, unless
    // the clock of the whole network is behind, which the known state then shows too.
    const usualOffset = Math.min(0, computeClockOffset(known));
    const isLagging =
      next.confirmed.slot < known.confirmed.slot &&
      computeClockOffset(next) < usualOffset - MAX_CLOCK_BEHIND_MS;
    return hasMoved && isLong && !isLagging;
  }

  /** Called when a result follows the known state, or has replaced it. */
  end(): void {
    this.#series = null;
  }
}
