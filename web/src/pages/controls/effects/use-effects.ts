import { useQueryClient } from '@tanstack/react-query';
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
  type PoolEffect,
} from './effect-values.ts';

/** What was measured: each value, or why there is none. */
export interface EffectMeasure {
  /** By the clock of this machine, in milliseconds of the Unix epoch. */
  readonly at: number;
  readonly quote: EffectValue | string;
  readonly pool: PoolEffect | string;
  readonly portfolio: EffectValue | string;
}

/** What a moved price changes: measured before, and after. */
export interface Effects {
  readonly token: MovedToken | null;
  /** How many whole tokens are quoted. */
  readonly whole: bigint;
  readonly before: EffectMeasure | null;
  readonly after: EffectMeasure | null;
  readonly isMeasuring: boolean;
  readonly measure: (side: 'before' | 'after') => Promise<void>;
  /** Measures now, and some more times: the pools follow a feed within seconds. */
  readonly watchAfter: () => void;
}

/** When the effects are measured after a change. */
const AFTER_MS = [0, 1_500, 4_000, 8_000] as const;
/** Tokens that are worth less are quoted in larger numbers, so that a quote is above a dollar or so. */
const CHEAP_WHOLE = 100_000n;

/** Measures what the price of a feed changes: the best quote, the deepest pool, and the demo wallet's portfolio. */
export function useEffects(symbol: string): Effects {
  const queryClient = useQueryClient();
  const { data: instance } = useInstance();
  const demoWallet = instance?.demoWallet ?? null;
  const [token, setToken] = useState<MovedToken | null>(null);
  const [measures, setMeasures] = useState<{
    readonly before: EffectMeasure | null;
    readonly after: EffectMeasure | null;
  }>({ before: null, after: null });
  const [running, setRunning] = useState(0);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const whole = token === null || token.decimals > 5 ? 1n : CHEAP_WHOLE;

  const measure = useCallback(
    async (side: 'before' | 'after') => {
      setRunning((count) => count + 1);
      const found = await queryClient
        .fetchQuery({
          queryKey: ['moved-token', symbol],
          queryFn: () => findMovedToken(symbol),
          staleTime: 60_000,
        })
        .catch(() => null);
      setToken(found);
      const measured = await measureEffects(found, demoWallet);
      setMeasures((last) =>
        side === 'before' ? { before: measured, after: null } : { ...last, after: measured },
      );
      setRunning((count) => count - 1);
    },
    [queryClient, symbol, demoWallet],
  );
  const watchAfter = useCallback(() => {
    for (const timer of timers.current) clearTimeout(timer);
    timers.current = AFTER_MS.map((ms) => setTimeout(() => void measure('after'), ms));
  }, [measure]);
  useEffect(
    () => () => {
      for (const timer of timers.current) clearTimeout(timer);
    },
    [],
  );
  return { token, whole, ...measures, isMeasuring: running > 0, measure, watchAfter };
}

async function measureEffects(token: MovedToken | null, wallet: string | null): Promise<EffectMeasure> {
  const missing = 'The token of this feed is not known.';
  const [quote, pool, portfolio] = await Promise.all([
    token === null
      ? missing
      : fetchQuoteEffect(token, token.decimals > 5 ? 1n : CHEAP_WHOLE).catch(describeFailure),
    token === null
      ? missing
      : fetchPoolEffect(token)
          .then((found) => found ?? 'No pool trades it.')
          .catch(describeFailure),
    wallet === null ? 'There is no demo wallet.' : fetchPortfolioEffect(wallet).catch(describeFailure),
  ]);
  return { at: performance.timeOrigin + performance.now(), quote, pool, portfolio };
}
