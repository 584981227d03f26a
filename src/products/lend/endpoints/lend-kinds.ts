import { type TArray, type TString, Type } from 'typebox';
import type { Address } from '../../../solana/address.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { list, readAddress } from '../../parameters/kinds.ts';
import { defineText, type Parameter } from '../../parameters/parameter.ts';
import type { IntegerBounds } from '../../parameters/parameter-schema.ts';

const DIGITS = /^[0-9]{1,20}$/;

/** A field that is an amount from 1 to 2^64 - 1, as a text of digits. */
export function amount(description: string): Parameter<bigint, TString> {
  return defineText(Type.String({ description }), (text, name) => {
    const amount = DIGITS.test(text) ? BigInt(text) : null;
    if (amount === null || amount > U64_MAX) {
      throw new RequestRefused(
        `${name} must be a whole number of base units from 1 to ${U64_MAX}, as a text of digits; got ${formatForError(text)}`,
      );
    }
    if (amount === 0n) throw new RequestRefused(`${name} must be at least 1, got 0`);
    return amount;
  });
}

/**
 * A parameter that is a list of addresses. It is read as each address once, in the order in which they came.
 * @param bounds - The bounds of the number of different addresses.
 */
export function addresses(
  { minimum, maximum }: IntegerBounds,
  description: string,
): Parameter<readonly Address[], TArray<TString>> {
  const { schema, read } = list(description);
  return {
    schema,
    read: (given, name, refuse) => {
      const texts = new Set(read(given, name, refuse));
      // The number is checked before the addresses are parsed, so that a long list costs nothing.
      if (texts.size < minimum || texts.size > maximum) {
        throw new RequestRefused(
          `${name} must name from ${minimum} to ${maximum} addresses, got ${texts.size}`,
        );
      }
      return [...new Set(Array.from(texts, (text) => readAddress(text, name, refuse)))];
    },
  };
}
