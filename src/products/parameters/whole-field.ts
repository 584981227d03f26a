import { Type } from 'typebox';
import { formatForError } from '../../common/format-for-error.ts';
import { RequestRefused } from '../../common/request-refused.ts';
import { U64_MAX } from '../../solana/units.ts';

/** A whole number that most clients send as text. */
export const wholeField = (description: string) =>
  Type.Union([Type.String({ maxLength: 30 }), Type.Integer()], { description });

/** @throws RequestRefused if the value is not a whole number from `least` to `most` */
export function readWholeField(
  given: string | number | bigint,
  field: string,
  { least = 0n, most = U64_MAX }: { readonly least?: bigint; readonly most?: bigint } = {},
): bigint {
  const text = String(given);
  const value = /^\d{1,20}$/.test(text) ? BigInt(text) : null;
  if (value !== null && value >= least && value <= most) return value;
  throw new RequestRefused(
    `${field} must be a whole number from ${least} to ${most}, got ${formatForError(text)}`,
  );
}
