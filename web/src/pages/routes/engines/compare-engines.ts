import { explainRefusal } from '../quote/explain-refusal.ts';
import type { RouteAnswer } from '../quote/route-answer.ts';
import { fetchRoute, type TimedAnswer } from '../quote/quote-query.ts';
import { formatQuotePath, type RouteRequest, toQuoteParameters } from '../quote/route-request.ts';

/** The engines that quote here. Other names of the public service may be excluded, but never quote. */
const ENGINES = ['metis', 'jupiterz'] as const;
export type EngineName = (typeof ENGINES)[number];

/** What one engine offers when it is the only one that is asked. */
export type EngineOffer = { readonly engine: EngineName } & (
  | { readonly kind: 'quote'; readonly quote: TimedAnswer }
  /** The reason is a sentence of the engine, or of Sluice. */
  | { readonly kind: 'refusal'; readonly reason: string }
);

/** The offers of all engines, and the answer of the order in which they compete. */
export interface EngineComparison {
  readonly offers: readonly EngineOffer[];
  /** The engine that won the order; null if nobody quotes. */
  readonly winner: string | null;
}

/** Asks each engine alone, and all of them together, at the same time: prices change between requests. */
export async function compareEngines(
  request: RouteRequest,
  decimals: number | null,
): Promise<EngineComparison> {
  const parameters = toQuoteParameters({ ...request, source: 'order' }, decimals);
  const ask = (excluded: readonly string[]) =>
    fetchRoute(
      formatQuotePath('order', [
        ...parameters,
        ...(excluded.length === 0 ? [] : [['excludeRouters', excluded.join(',')] as const]),
      ]),
    );
  const [together, ...offers] = await Promise.all([
    ask([]).then(
      ({ answer }) => answer.router,
      () => null,
    ),
    ...ENGINES.map((engine): Promise<EngineOffer> => {
      const others = ENGINES.filter((other) => other !== engine);
      return ask(others).then(
        (quote) => ({ engine, kind: 'quote', quote }) as const,
        (error: unknown) => ({ engine, kind: 'refusal', reason: explainRefusal(error) }) as const,
      );
    }),
  ]);
  return { offers, winner: together ?? null };
}

/** What an offer is compared by. */
export interface MeasuredOffer {
  readonly engine: EngineName;
  readonly answer: RouteAnswer;
  /** The output after what the network takes; null without a taker. */
  readonly netOut: bigint | null;
}

/**
 * Computes how much better one offer is than another one, in the token whose amount is open: more of the output, or with an
 * exact output less of the input.
 *
 * @returns The difference, and its share of the other offer in millionths; null share if the other one is nothing.
 */
export function computeLead(
  one: MeasuredOffer,
  other: MeasuredOffer,
): { readonly amount: bigint; readonly share: bigint | null } {
  const isOut = one.answer.swapMode === 'ExactOut';
  const hasNet = one.netOut !== null && other.netOut !== null;
  const [mine, theirs] = isOut
    ? [-one.answer.inAmount, -other.answer.inAmount]
    : hasNet
      ? [one.netOut ?? 0n, other.netOut ?? 0n]
      : [one.answer.outAmount, other.answer.outAmount];
  const amount = mine - theirs;
  const whole = theirs < 0n ? -theirs : theirs;
  return { amount, share: whole === 0n ? null : (amount * 1_000_000n) / whole };
}
