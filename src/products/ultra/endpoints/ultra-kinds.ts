import type { TSchema, TString } from 'typebox';
import { Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Address } from '../../../solana/address.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { readAddress } from '../../parameters/kinds.ts';
import { defineText, type Parameter } from '../../parameters/parameter.ts';
import { RequestRefused } from '../../../common/request-refused.ts';

/**
 * A parameter that is a list of addresses. It is read as each address once, in the order in which they were given.
 *
 * @param schema - That of a list of texts.
 * @param maximum - How many may be given, repetitions included.
 */
export function addresses<Schema extends TSchema>(
  schema: Schema,
  maximum: number,
): Parameter<readonly Address[], Schema> {
  return {
    schema,
    read: (given, name, refuse) => {
      const texts = (given as readonly string[]).map((text) => text.trim()).filter((text) => text !== '');
      if (texts.length === 0) throw new RequestRefused(`${name} must hold at least one address`);
      if (texts.length > maximum) {
        throw new RequestRefused(`${name} must hold at most ${maximum} addresses, got ${texts.length}`);
      }
      return [...new Set(texts.map((text) => readAddress(text, name, refuse)))];
    },
  };
}

/** A parameter that is a whole number of atoms from 1 to the largest that an account can hold. */
export function amount(description: string): Parameter<bigint, TString> {
  return defineText(Type.String({ description }), (text, name) => {
    const atoms = /^[0-9]{1,20}$/.test(text) ? BigInt(text) : 0n;
    if (atoms > 0n && atoms <= U64_MAX) return atoms;
    throw new RequestRefused(
      `${name} must be a whole number of base units from 1 to ${U64_MAX}, got ${formatForError(text)}`,
    );
  });
}

/** A parameter that is a time in ISO 8601 or in Unix seconds. It is read as Unix seconds. */
export function time(): Parameter<number, TString> {
  return defineText(Type.String({ description: 'ISO 8601 or Unix seconds.' }), (text, name) => {
    if (/^[0-9]{1,12}$/.test(text)) return Number(text);
    const milliseconds = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isFinite(milliseconds)) return Math.floor(milliseconds / 1_000);
    throw new RequestRefused(
      `${name} must be a time in ISO 8601 or in Unix seconds, got ${formatForError(text)}`,
    );
  });
}
