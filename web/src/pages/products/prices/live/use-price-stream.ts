import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type EventSourceState, useEventSource } from '../../../../parts/live/use-event-source.ts';
import { applyPriceEvent, type TokenPrices } from '../model/read-prices.ts';
import { type PriceTrade, readTrade } from '../model/read-trades.ts';

/** The newest trades that are kept. */
const MAX_TRADES = 50;
/** Mints that the stream takes. */
const MAX_MINTS = 50;

/** What the stream of prices has told. */
export interface PriceStream {
  readonly prices: TokenPrices;
  /** Of the token that is looked at, the newest first. */
  readonly trades: readonly PriceTrade[];
  /** How many trades of the token there were since the page was opened. */
  readonly tradeCount: number;
  readonly live: EventSourceState;
}

interface ToldState {
  readonly mint: string;
  readonly prices: TokenPrices;
  readonly trades: readonly PriceTrade[];
  readonly tradeCount: number;
}

/**
 * Follows the prices of tokens, and the trades of one of them.
 *
 * @param mints - The tokens of the list. The first ones are followed, as many as the stream takes.
 * @param mint - The token that is looked at.
 */
export function usePriceStream(mints: readonly string[], mint: string): PriceStream {
  const ids = useMemo(
    () => [...new Set([mint, ...mints])].slice(0, MAX_MINTS).toSorted().join(','),
    [mints, mint],
  );
  const begun = useMemo<ToldState>(() => ({ mint, prices: new Map(), trades: [], tradeCount: 0 }), [mint]);
  const [told, setTold] = useState(begun);
  const onEvents = useCallback(
    (events: readonly { readonly type: string | null; readonly data: string }[]) =>
      setTold((before) => {
        let state = before.mint === mint ? before : { ...begun, prices: before.prices };
        for (const { type, data } of events) state = applyEvent(state, type, data);
        return state;
      }),
    [mint, begun],
  );
  const live = useEventSource(`/price/v3/stream?ids=${ids}`, onEvents);
  const shown = told.mint === mint ? told : { ...begun, prices: told.prices };
  return { prices: shown.prices, trades: shown.trades, tradeCount: shown.tradeCount, live };
}

function applyEvent(state: ToldState, type: string | null, data: string): ToldState {
  if (type === 'prices') return { ...state, prices: applyPriceEvent(state.prices, data) };
  if (type !== 'trade') return state;
  const trade = readTrade(data, state.mint, state.tradeCount);
  if (trade === null) return state;
  return {
    ...state,
    trades: [trade, ...state.trades].slice(0, MAX_TRADES),
    tradeCount: state.tradeCount + 1,
  };
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
