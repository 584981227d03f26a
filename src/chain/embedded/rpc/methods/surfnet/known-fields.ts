import { invalidParams } from '../../../../json-rpc/rpc-errors.ts';
import { readObject } from '../../calls/params.ts';

/**
 * Reads an object that may only have the given members.
 *
 * @throws RpcError -32602 that names the first unknown member, and the known ones.
 */
export function readKnownFields(
  value: unknown,
  name: string,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const fields = readObject(value, name);
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown === undefined) return fields;
  throw invalidParams(
    `${name} has the unknown member ${unknown.slice(0, 64)}; it may have ${known.join(', ')}`,
  );
}
