import { type ShapeValue, shape } from '../../base/json-shape.ts';

const readLanding = shape.object({
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

/** Reads the answer of `GET /admin/v1/landings`. */
export const readLandingList = shape.object({
  landings: shape.list(readLanding),
  next: shape.nullable(shape.text),
  lost: shape.number,
});

/** Reads the answer of `GET /admin/v1/landings/{name}`. */
export const readLandings = shape.object({ landings: shape.list(readLanding) });

export type LandingView = ShapeValue<typeof readLanding>;
