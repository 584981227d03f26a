import { useCallback, useEffect, useRef, useState } from 'react';
import { type FeedSample, FeedSampler } from './feed-sampler.ts';

/** A feed of which the newest lines are shown. */
export interface SampledFeed<Item> {
  /** Takes lines that have arrived together. */
  readonly push: (items: readonly Item[]) => void;
  readonly clear: () => void;
  /** What is shown: while it is paused, what was there then. */
  readonly sample: FeedSample<Item>;
  readonly isPaused: boolean;
  readonly setPaused: (isPaused: boolean) => void;
  /** Lines that have arrived since it was paused. */
  readonly missed: number;
}

/** A feed may bring lines more often than a page can be drawn. */
const DRAW_MS = 200;

/** Keeps the newest lines of a feed, draws some times a second, and can be paused. */
export function useSampledFeed<Item>(): SampledFeed<Item> {
  const [sampler] = useState(() => new FeedSampler<Item>());
  const [sample, setSample] = useState(() => sampler.read(performance.now()));
  const [paused, setPausedSample] = useState<FeedSample<Item> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const draw = useCallback(() => {
    timer.current = null;
    const next = sampler.read(performance.now());
    setSample(next);
    // The count of the last second falls to nothing when no more lines come.
    if (next.perSecond > 0) timer.current = setTimeout(draw, 1_000);
  }, [sampler]);
  const drawSoon = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = setTimeout(draw, DRAW_MS);
  }, [draw]);
  const lastDraw = useRef(Number.NEGATIVE_INFINITY);
  const push = useCallback(
    (items: readonly Item[]) => {
      const now = performance.now();
      sampler.push(items, now);
      // A timer that each arrival put off would never draw a feed that does not rest.
      if (now - lastDraw.current < DRAW_MS) return;
      lastDraw.current = now;
      drawSoon();
    },
    [sampler, drawSoon],
  );
  const clear = useCallback(() => {
    sampler.clear();
    setPausedSample(null);
    setSample(sampler.read(performance.now()));
  }, [sampler]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return {
    push,
    clear,
    sample: paused ?? sample,
    isPaused: paused !== null,
    setPaused: (isPaused) => setPausedSample(isPaused ? sampler.read(performance.now()) : null),
    missed: paused === null ? 0 : sample.total - paused.total,
  };
}
