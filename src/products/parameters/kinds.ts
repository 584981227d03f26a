import { type TArray, type TString, Type } from 'typebox';
import { formatForError } from '../../common/format-for-error.ts';
import { type Address, parseAddress } from '../../solana/address.ts';
import { type IntegerBounds, listText, textFor } from './parameter-schema.ts';
import { defineText, type Parameter, type ReadText, type Refuse } from './parameter.ts';

/** Leading zeros are accepted up to this number of digits. */
const MAX_DIGITS = 9;

/** A parameter that is used as it is given. */
export function text(description: string): Parameter<string, TString> {
  return defineText(Type.String({ description }), (given) => given);
}

/** A parameter that is an address. */
export function address(description: string): Parameter<Address, TString> {
  return defineText(Type.String({ description }), readAddress);
}

/** Reads an address. */
export function readAddress(given: string, name: string, refuse: Refuse): Address {
  const parsed = parseAddress(given);
  return parsed ?? refuse(`${name} must be an address: 32 bytes in base58, got ${formatForError(given)}`);
}

/** A parameter that is a whole number within bounds. */
export function integer(
  bounds: IntegerBounds,
  description: string,
  maxDigits = MAX_DIGITS,
): Parameter<number, TString> {
  return defineText(textFor({ type: 'integer', ...bounds }, description), (given, name, refuse) =>
    readInteger(given, name, refuse, bounds, maxDigits),
  );
}

/** Reads a whole number within bounds. */
export function readInteger(
  given: string,
  name: string,
  refuse: Refuse,
  { minimum, maximum }: IntegerBounds,
  maxDigits = MAX_DIGITS,
): number {
  const value = given.length <= maxDigits && /^[0-9]+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  return refuse(`${name} must be a whole number from ${minimum} to ${maximum}, got ${formatForError(given)}`);
}

/** A parameter that is `true` or `false`. */
export function flag(description: string): Parameter<boolean, TString> {
  return defineText(textFor({ type: 'boolean' }, description, ['true', 'false']), readFlag);
}

/** Reads `true` or `false`. */
export function readFlag(given: string, name: string, refuse: Refuse): boolean {
  if (given === 'true' || given === 'false') return given === 'true';
  return refuse(`${name} must be true or false, got ${formatForError(given)}`);
}

/** A parameter that is one of a few words. The gateway refuses others by the schema. */
export function choice<const Choice extends string>(
  choices: readonly Choice[],
  description: string,
): Parameter<Choice, TString> {
  return defineText(Type.String({ description, enum: [...choices] }), (given, name, refuse) => {
    const found = choices.find((each) => each === given);
    return found ?? refuse(`${name} must be ${choices.join(' or ')}, got ${formatForError(given)}`);
  });
}

/** A parameter that is one of a few words. The gateway accepts any text, and the reader refuses others. */
export function word<const Choice extends string>(
  choices: readonly Choice[],
  description: string,
): Parameter<Choice, TString> {
  return defineText(textFor({ type: 'string', enum: [...choices] }, description), createWordReader(choices));
}

/** Creates a function that reads one of a few words. */
export function createWordReader<const Choice extends string>(choices: readonly Choice[]): ReadText<Choice> {
  return (given, name, refuse) =>
    choices.find((each) => each === given) ??
    refuse(`${name} must be one of ${choices.join(', ')}, got ${formatForError(given)}`);
}

/**
 * A parameter that is a list of texts, in any of the forms that clients send. Blanks around its items have no meaning, and
 * an empty list counts as absent.
 * @param documentedAs - The documented type, from which generated clients derive the form they send.
 */
export function list(
  description: string,
  documentedAs: 'string' | 'array' = 'string',
): Parameter<readonly string[], TArray<TString>> {
  return {
    schema: listText(description, documentedAs),
    read: (given) =>
      [given ?? []]
        .flat()
        .flatMap((item) => String(item).split(','))
        .map((item) => item.trim())
        .filter((item) => item !== ''),
  };
}
