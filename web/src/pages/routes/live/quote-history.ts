import { useEffect, useState } from 'react';
import type { RouteAnswer, RouteLeg } from '../quote/route-answer.ts';

/** Quotes that are remembered: five minutes of watching. */
const MAX_QUOTES = 60;

/** The quotes of one request, the oldest first. */
export interface QuoteHistory {
  readonly path: string | null;
  readonly answers: readonly RouteAnswer[];
}

/**
 * Remembers the quotes of a request while the page is open.
 *
 * @param answer - The newest; the same object again is the same quote.
 */
export function useQuoteHistory(path: string | null, answer: RouteAnswer | undefined): QuoteHistory {
  const [history, setHistory] = useState<QuoteHistory>({ path, answers: [] });
  useEffect(() => {
    if (answer !== undefined) setHistory((before) => addQuote(before, path, answer));
  }, [path, answer]);
  return history.path === path ? history : { path, answers: [] };
}

/** Adds a quote; those of another request are forgotten. */
export function addQuote(history: QuoteHistory, path: string | null, answer: RouteAnswer): QuoteHistory {
  const before = history.path === path ? history.answers : [];
  if (before.at(-1) === answer) return history;
  return { path, answers: [...before, answer].slice(-MAX_QUOTES) };
}

/** Finds the steps of a route that are not as in the quote before: other pools, other shares or other amounts. */
export function findChangedLegs(
  before: readonly RouteLeg[] | null,
  now: readonly RouteLeg[],
): ReadonlySet<number> {
  if (before === null) return new Set();
  const known = new Map(before.map((leg) => [nameLeg(leg), leg]));
  const isSame = (leg: RouteLeg) => {
    const old = known.get(nameLeg(leg));
    return old?.inAmount === leg.inAmount && old.outAmount === leg.outAmount;
  };
  return new Set([...now.keys()].filter((index) => !isSame(now[index] as RouteLeg)));
}

function nameLeg({ pool, inputMint, outputMint }: RouteLeg): string {
  return `${pool} ${inputMint} ${outputMint}`;
}
