import { useEffect, useRef, useState } from 'react';
import { usePace } from '../../../../api/pace.ts';
import type { PriceTrade } from '../model/read-trades.ts';

/** Tokens whose symbols can be asked for at once. */
const MAX_MINTS = 50;

/**
 * Returns the token that is looked at and those that it was traded against. A token that appears is added some time later, together
 * with others, because each change asks for symbols and decimals again.
 *
 * @param trades - The newest first.
 */
export function useSeenMints(
  mint: string,
  trades: readonly { readonly item: PriceTrade }[],
): readonly string[] {
  const [seen, setSeen] = useState<readonly string[]>([mint]);
  const waitMs = usePace(300, 15_000);
  const newest = useRef(trades);
  newest.current = trades;
  const hasNew = seen.length < MAX_MINTS && trades.some(({ item }) => !seen.includes(item.otherMint));
  // The timer runs from the first new token on: those that follow do not put it off.
  useEffect(() => {
    if (!hasNew) return;
    const timer = setTimeout(
      () =>
        setSeen((before) =>
          [...new Set([...before, ...newest.current.map(({ item }) => item.otherMint)])].slice(0, MAX_MINTS),
        ),
      waitMs,
    );
    return () => clearTimeout(timer);
  }, [hasNew, waitMs]);
  return seen;
}
