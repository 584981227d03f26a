import type { LandingView } from './landing-shape.ts';

/** The outcomes by which landings are listed, with what they mean. */
export const OUTCOMES = [
  ['confirmed', 'It landed, and was confirmed.'],
  ['failed', 'It is in a block with an error: its fee was paid, and no tip.'],
  ['expired', 'Its blockhash has expired, so that it cannot land any more.'],
  ['rejected', 'Every node that it was sent to has refused it.'],
  ['unknown', 'It was given up without an answer, or the instance ended meanwhile.'],
  ['under-way', 'It is sent again until it has landed or cannot any more.'],
] as const;

/** What an outcome means; null for one that this page does not know. */
export function explainOutcome(outcome: string | null): string | null {
  return OUTCOMES.find(([name]) => name === (outcome ?? 'under-way'))?.[1] ?? null;
}

/** A step of a landing; null: it has not happened. */
export interface LandingStep {
  readonly name: string;
  readonly at: number | null;
  /** Milliseconds since it was accepted. */
  readonly after: number | null;
}

/** Returns the steps of a landing in their order. */
export function listSteps({
  acceptedAt,
  forwardedAt,
  seenAt,
  confirmedAt,
  endedAt,
}: LandingView): readonly LandingStep[] {
  const steps = [
    ['accepted', acceptedAt],
    ['taken by a node', forwardedAt],
    ['seen in a block', seenAt],
    ['confirmed', confirmedAt],
    ['ended', endedAt],
  ] as const;
  return steps.map(([name, at]) => ({ name, at, after: at === null ? null : Math.max(at - acceptedAt, 0) }));
}
