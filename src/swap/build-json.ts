import type { BuildResponse } from './schema.ts';

/** By the list of a table's addresses, which is another one whenever the table changes. */
const textOfAddresses = new WeakMap<readonly string[], string>();

/** The answer as JSON. The contents of lookup tables are most of it and hardly ever change: their text is kept. */
export function buildJson({ addressesByLookupTableAddress: tables, ...rest }: BuildResponse): string {
  return `${JSON.stringify(rest).slice(0, -1)},"addressesByLookupTableAddress":${tablesJson(tables)}}`;
}

function tablesJson(tables: BuildResponse['addressesByLookupTableAddress']): string {
  if (tables === null) return 'null';
  const texts = Object.entries(tables).map(([table, addresses]) => `"${table}":${addressesJson(addresses)}`);
  return `{${texts.join()}}`;
}

function addressesJson(addresses: readonly string[]): string {
  let text = textOfAddresses.get(addresses);
  if (text === undefined) {
    text = JSON.stringify(addresses);
    textOfAddresses.set(addresses, text);
  }
  return text;
}
