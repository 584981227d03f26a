import type { TSchema } from 'typebox';
import { getJsonType } from '../../common/typed-text.ts';
import { isJoinedList } from '../../products/parameters/parameter-schema.ts';

/** The end of the name of a list, as clients write it: `names[]`, or with the place of the item, `names[0]`. */
const BRACKETS = /\[\d{0,4}\]$/;

/** Returns the name of the parameter that is meant by a name in a query, which may have brackets. */
export function toParameterName(given: string): string {
  return given.endsWith(']') ? given.replace(BRACKETS, '') : given;
}

/** Returns the query parameters of a schema that are lists, whether the endpoint takes an array or one text. */
export function getListNames(properties: Readonly<Record<string, TSchema>>): ReadonlySet<string> {
  const isList = ([, each]: [string, TSchema]) => getJsonType(each) === 'array' || isJoinedList(each);
  return new Set(
    Object.entries(properties)
      .filter(isList)
      .map(([name]) => name),
  );
}

/**
 * Creates a function that joins every form in which clients give a list: `names=a,b`, `names=a&names=b`, `names[]=a`,
 * `names[0]=a`, and mixtures of them. The brackets may be percent-encoded, which the parser of the query has undone. The
 * items keep their order in the request.
 * @param properties - The query parameters of an endpoint.
 * @returns null if none of them is a list. The function returns the query with each list under its own name: as one array,
 * which is left out when it is empty, or as one text with commas, as the schema has it.
 */
export function createListReader(
  properties: Readonly<Record<string, TSchema>>,
): ((query: object) => object) | null {
  const names = getListNames(properties);
  if (names.size === 0) return null;
  const texts = new Set([...names].filter((name) => getJsonType(properties[name] ?? {}) !== 'array'));
  const isForm = ([given, value]: [string, unknown]) => {
    const name = toParameterName(given);
    // One text without brackets has its form already.
    return names.has(name) && !(texts.has(name) && given === name && typeof value === 'string');
  };
  return (query) => {
    const entries = Object.entries(query);
    return entries.some(isForm) ? joinLists(entries, names, texts) : query;
  };
}

function joinLists(
  entries: readonly [string, unknown][],
  names: ReadonlySet<string>,
  texts: ReadonlySet<string>,
): object {
  const others: [string, unknown][] = [];
  const lists = new Map<string, string[]>();
  for (const [given, value] of entries) {
    const name = toParameterName(given);
    if (!names.has(name)) {
      others.push([given, value]);
      continue;
    }
    const items = [value].flat().flatMap((text) => String(text).split(','));
    const filled = items.map((item) => item.trim()).filter((item) => item !== '');
    lists.set(name, [...(lists.get(name) ?? []), ...filled]);
  }
  const read = Array.from(lists, ([name, items]): [string, unknown][] => {
    if (texts.has(name)) return [[name, items.join(',')]];
    return items.length === 0 ? [] : [[name, items]];
  });
  return Object.fromEntries([...others, ...read.flat()]);
}
