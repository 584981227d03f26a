import { ExactNumber, isExactList, isExactObject, type ExactJson } from './exact-json.ts';
import { parseFixed } from './fixed-point.ts';

/** Members of a list that are read at most. What a page could not show need not be read. */
const MAX_ITEMS = 5_000;
const WHOLE = /^-?\d{1,78}$/;

/** A value of an answer, which may have any form: a missing member, or one of another form, reads as null. */
type AnswerValue = ExactJson | undefined;

/** Returns a member of an object; undefined if it is none. */
export function getMember(value: AnswerValue, name: string): AnswerValue {
  return isExactObject(value) ? value.get(name) : undefined;
}

/** Returns a member that is a text. An empty one counts as absent. */
export function getText(value: AnswerValue, name: string): string | null {
  const member = getMember(value, name);
  return typeof member === 'string' && member !== '' ? member : null;
}

/** Returns the entries of a list; none if it is no list. */
export function listItems(value: AnswerValue): readonly ExactJson[] {
  return isExactList(value) ? value.slice(0, MAX_ITEMS) : [];
}

/** Returns the entries of a member that is a list; none if it is no list. */
export function getItems(value: AnswerValue, name: string): readonly ExactJson[] {
  return listItems(getMember(value, name));
}

/** Returns the members of an object by their names; none if it is no object. */
export function getEntries(value: AnswerValue, name: string): readonly (readonly [string, ExactJson])[] {
  const member = getMember(value, name);
  return isExactObject(member) ? [...member].slice(0, MAX_ITEMS) : [];
}

/** Whether a member is `true`. */
export function isFlagSet(value: AnswerValue, name: string): boolean {
  return getMember(value, name) === true;
}

/** Returns a whole number that is written as one, or as a text of digits. */
export function getWhole(value: AnswerValue, name: string): bigint | null {
  const source = getNumberText(value, name);
  if (source === null) return null;
  return WHOLE.test(source) ? BigInt(source) : null;
}

/** Returns a number, which may be written as a text, with that many places behind the point. */
export function getFixed(value: AnswerValue, name: string, places: number): bigint | null {
  const source = getNumberText(value, name);
  return source === null ? null : parseFixed(source, places);
}

/** Returns a number for a coordinate of a chart, or for a time. It is finite. */
export function getCoordinate(value: AnswerValue, name: string): number | null {
  const source = getNumberText(value, name);
  const number = source === null ? Number.NaN : Number(source);
  return Number.isFinite(number) ? number : null;
}

function getNumberText(value: AnswerValue, name: string): string | null {
  const member = getMember(value, name);
  if (member instanceof ExactNumber) return member.source;
  return typeof member === 'string' && member !== '' ? member : null;
}
