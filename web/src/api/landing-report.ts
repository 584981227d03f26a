import { type ShapeValue, shape } from '../base/json-shape.ts';

/** Reads the report about a transaction that was submitted to be landed. */
export const readLanding = shape.object({
  signature: shape.text,
  organisation: shape.nullable(shape.text),
  requestId: shape.text,
  outcome: shape.nullable(shape.text),
  slot: shape.nullable(shape.whole),
  error: shape.nullable(shape.text),
  sends: shape.number,
  firstSeenBy: shape.nullable(shape.text),
  acceptedAt: shape.number,
  forwardedAt: shape.nullable(shape.number),
  seenAt: shape.nullable(shape.number),
  confirmedAt: shape.nullable(shape.number),
  endedAt: shape.nullable(shape.number),
});

/** Reads the answer of `GET /admin/v1/landings/{name}`, and of the same of an organisation. */
export const readLandings = shape.object({ landings: shape.list(readLanding) });

/** The report about a transaction that somebody submitted to be landed. */
export type LandingView = ShapeValue<typeof readLanding>;

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
