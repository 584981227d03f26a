import { Type } from 'typebox';
import { readWholeField } from '../../../parameters/whole-field.ts';

export const UnitPriceField = Type.Optional(
  Type.Union([Type.String({ maxLength: 30 }), Type.Integer(), Type.Null()], {
    default: 'auto',
    description:
      '`auto`, or micro-lamports for each compute unit. `auto` follows what others pay who write the same accounts.',
  }),
);

/** Returns null for `auto`. */
export function readUnitPrice(given: string | number | bigint | null | undefined): bigint | null {
  return given == null || given === 'auto' ? null : readWholeField(given, 'computeUnitPrice');
}
