import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type EventSourceState, useEventSource } from '../../../../parts/live/use-event-source.ts';
import { type SampledFeed, useSampledFeed } from '../../../../parts/live/use-sampled-feed.ts';
import { applyPriceEvent, type TokenPrices } from '../model/read-prices.ts';
import { type PriceTrade, readTrade } from '../model/read-trades.ts';

/** Mints that the stream takes. */
const MAX_MINTS = 50;

/** What the stream of prices has told. */
export interface PriceStream {
  readonly prices: TokenPrices;
  /** Of the token that is looked at, since the page was opened. */
  readonly trades: SampledFeed<PriceTrade>;
  readonly live: EventSourceState;
}

/**
 * Follows the prices of tokens, and the trades of one of them.
 *
 * @param mints - The tokens of the list. The first ones are followed, as many as the stream takes.
 * @param mint - The token that is looked at. For another one, the component begins again.
 */
export function usePriceStream(mints: readonly string[], mint: string): PriceStream {
  const ids = useMemo(
    () => [...new Set([mint, ...mints])].slice(0, MAX_MINTS).toSorted().join(','),
    [mints, mint],
  );
  const [prices, setPrices] = useState<TokenPrices>(new Map());
  const trades = useSampledFeed<PriceTrade>();
  const { push } = trades;
  const onEvents = useCallback(
    (events: readonly { readonly type: string | null; readonly data: string }[]) => {
      const told = events.filter(({ type }) => type === 'prices');
      if (told.length > 0)
        setPrices((before) => told.reduce((known, { data }) => applyPriceEvent(known, data), before));
      const swaps = events.flatMap(({ type, data }) =>
        type === 'trade' ? (readTrade(data, mint) ?? []) : [],
      );
      if (swaps.length > 0) push(swaps);
    },
    [mint, push],
  );
  const live = useEventSource(`/price/v3/stream?ids=${ids}`, onEvents);
  return { prices, trades, live };
}

/**
 * Calls a function when a value has changed, but not more often than that; the last change is not missed.
 *
 * @param value - Compared by identity.
 * @param call - What is called. May change between drawings.
 */
export function useCallOnChange(value: unknown, call: () => void, leastMs: number): void {
  const latest = useRef(call);
  latest.current = call;
  const first = useRef(value);
  const lastAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (Object.is(first.current, value)) return;
    first.current = value;
    const wait = Math.max(0, lastAt.current + leastMs - performance.now());
    const timer = setTimeout(() => {
      lastAt.current = performance.now();
      latest.current();
    }, wait);
    return () => clearTimeout(timer);
  }, [value, leastMs]);
}
