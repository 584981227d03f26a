import { readLanding } from '../../api/landing-report.ts';
import { shape } from '../../base/json-shape.ts';

/** Reads the answer of `GET /admin/v1/landings`. */
export const readLandingList = shape.object({
  landings: shape.list(readLanding),
  next: shape.nullable(shape.text),
  lost: shape.number,
});
