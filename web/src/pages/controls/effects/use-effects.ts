import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { describeFailure } from '../../../api/call.ts';
import { useInstance } from '../../../api/instance.ts';
import {
  type EffectValue,
  fetchPoolEffect,
  fetchPortfolioEffect,
  fetchQuoteEffect,
  findMovedToken,
  type MovedToken,
} from './effect-values.ts';

/** What is measured of a moved price. */
export type EffectKey = 'quote' | 'pool' | 'portfolio';

/** A value, or why there is none, and when it was asked for. */
export interface MeasuredEffect {
  /** By the clock of this machine, in milliseconds of the Unix epoch. */
  readonly at: number;
  readonly value: EffectValue | string;
}

/** A value before a change and after it; null while it was not measured. */
export interface EffectState {
  readonly before: MeasuredEffect | null;
  readonly after: MeasuredEffect | null;
}

/** What a moved price changes: each value is measured by itself, so that a slow one keeps no other waiting. */
export interface Effects {
  readonly token: MovedToken | null;
  /** How many whole tokens are quoted. */
  readonly whole: bigint;
  readonly states: Readonly<Record<EffectKey, EffectState>>;
  /** Whether the price was moved since the page was opened. */
  readonly isMoved: boolean;
  readonly isMeasuring: boolean;
  /** Measures again what holds now. */
  readonly measure: () => void;
  /** Takes what holds now for what was before, and measures some times after: the pools follow a feed within seconds. */
  readonly watchMove: () => void;
}

/** When the effects are measured after a change. */
const AFTER_MS = [0, 1_500, 4_000, 8_000, 15_000] as const;
/** Tokens that are worth less are quoted in larger numbers, so that a quote is above a dollar or so. */
const CHEAP_WHOLE = 100_000n;
const CHEAP_DECIMALS = 5;
const KEYS: readonly EffectKey[] = ['quote', 'pool', 'portfolio'];
const UNMEASURED: EffectState = { before: null, after: null };

/** Measures what the price of a feed changes: the best quote, the deepest pool, and the demo wallet's portfolio. */
export function useEffects(symbol: string): Effects {
  const { data: instance } = useInstance();
  const wallet = instance?.demoWallet ?? null;
  const { data: token = null } = useQuery({
    queryKey: ['moved-token', symbol],
    queryFn: () => findMovedToken(symbol),
    staleTime: 60_000,
  });
  const [states, setStates] = useState<Effects['states']>({
    quote: UNMEASURED,
    pool: UNMEASURED,
    portfolio: UNMEASURED,
  });
  const [underWay, setUnderWay] = useState<ReadonlySet<EffectKey>>(new Set());
  const [moves, setMoves] = useState(0);
  /** Answers that were asked for before the last move say nothing of what came after it. */
  const move = useRef(0);
  const running = useRef(new Set<EffectKey>());
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const whole = token === null || token.decimals > CHEAP_DECIMALS ? 1n : CHEAP_WHOLE;

  const measureOne = useCallback(
    async (key: EffectKey) => {
      // A slow answer is waited for, not asked for again.
      if (token === null || running.current.has(key)) return;
      running.current.add(key);
      setUnderWay(new Set(running.current));
      const asked = move.current;
      const value = await fetchEffect(key, token, wallet).catch(describeFailure);
      running.current.delete(key);
      setUnderWay(new Set(running.current));
      if (asked !== move.current) return;
      const measured = { at: performance.timeOrigin + performance.now(), value };
      const side = asked === 0 ? 'before' : 'after';
      setStates((last) => ({ ...last, [key]: { ...last[key], [side]: measured } }));
    },
    [token, wallet],
  );
  const measure = useCallback(() => {
    for (const key of KEYS) void measureOne(key);
  }, [measureOne]);
  // What holds before a change is asked for as soon as a feed is chosen, not when its price has moved already.
  useEffect(measure, [measure]);
  const watchMove = useCallback(() => {
    move.current++;
    setMoves(move.current);
    setStates(({ quote, pool, portfolio }) => ({
      quote: beginAgain(quote),
      pool: beginAgain(pool),
      portfolio: beginAgain(portfolio),
    }));
    for (const timer of timers.current) clearTimeout(timer);
    timers.current = AFTER_MS.map((ms) => setTimeout(measure, ms));
  }, [measure]);
  useEffect(
    () => () => {
      for (const timer of timers.current) clearTimeout(timer);
    },
    [],
  );
  return { token, whole, states, isMoved: moves > 0, isMeasuring: underWay.size > 0, measure, watchMove };
}

function beginAgain({ before, after }: EffectState): EffectState {
  return { before: after ?? before, after: null };
}

async function fetchEffect(
  key: EffectKey,
  token: MovedToken,
  wallet: string | null,
): Promise<MeasuredEffect['value']> {
  if (key === 'quote') return fetchQuoteEffect(token, token.decimals > CHEAP_DECIMALS ? 1n : CHEAP_WHOLE);
  if (key === 'pool') return (await fetchPoolEffect(token)) ?? 'No pool trades it.';
  return wallet === null ? 'There is no demo wallet.' : fetchPortfolioEffect(wallet);
}
