import type { BuildResponse } from './schema.ts';

/** By the list of a table's addresses, which is another one whenever the table changes. */
const bytesOfAddresses = new WeakMap<readonly string[], Buffer>();
const NO_TABLES = Buffer.from('null');
const [OPEN, CLOSE] = [Buffer.from('{'), Buffer.from('}')];

/**
 * The answer as the bytes of its JSON. The contents of lookup tables are most of it and hardly ever change: theirs are
 * kept, so that no text of that size is made and encoded for every answer.
 */
export function buildJson({ addressesByLookupTableAddress: tables, ...rest }: BuildResponse): Buffer {
  const begin = Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"addressesByLookupTableAddress":`);
  return Buffer.concat([begin, ...tablesJson(tables), CLOSE]);
}

function tablesJson(tables: BuildResponse['addressesByLookupTableAddress']): readonly Buffer[] {
  if (tables === null) return [NO_TABLES];
  const members = Object.entries(tables).flatMap(([table, addresses], index) => [
    Buffer.from(`${index === 0 ? '' : ','}"${table}":`),
    addressesJson(addresses),
  ]);
  return [OPEN, ...members, CLOSE];
}

function addressesJson(addresses: readonly string[]): Buffer {
  let bytes = bytesOfAddresses.get(addresses);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(addresses));
    bytesOfAddresses.set(addresses, bytes);
  }
  return bytes;
}
