import type { preValidationHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import { findNearestName } from '../../common/nearest.ts';
import { getProperties } from './object-schema.ts';
import { getListNames, toParameterName } from './query-lists.ts';

/** The header that names the query parameters that an endpoint does not know. */
export const UNKNOWN_PARAMETERS_HEADER = 'x-sluice-unknown-parameters';

const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 64;

/**
 * Creates a hook that names unknown query parameters in a header of the answer. The public interfaces ignore such
 * parameters, so without the header nothing would show that a misspelled one, such as `slipageBps`, has no effect.
 * @param schema - The schema of the endpoint's query; null: it has no parameters.
 */
export function createUnknownParameterHook(schema: TSchema | null): preValidationHookHandler {
  const properties = schema === null ? {} : getProperties(schema);
  const known = Object.keys(properties);
  const lists = getListNames(properties);
  return (request, reply, done) => {
    const text = describeUnknown(Object.keys(request.query as object), known, lists);
    if (text !== '') reply.header(UNKNOWN_PARAMETERS_HEADER, text);
    done();
  };
}

/**
 * @param lists - Those of the known parameters that may have brackets. Any other with brackets is not read.
 * @returns the value of the header; empty when all names are known
 */
function describeUnknown(
  given: readonly string[],
  known: readonly string[],
  lists: ReadonlySet<string>,
): string {
  const unknown = given.filter((name) => !known.includes(name) && !lists.has(toParameterName(name)));
  const described = unknown.slice(0, MAX_NAMES).map((name) => {
    const meant = findNearestName(toParameterName(name), known);
    // A header carries visible ASCII only, and the comma separates the names.
    const shown = name.slice(0, MAX_NAME_LENGTH).replace(/[^\w.$[\]-]/g, '?');
    return meant === null ? shown : `${shown} (did you mean ${meant}?)`;
  });
  if (unknown.length > MAX_NAMES) described.push(`and ${unknown.length - MAX_NAMES} more`);
  return described.join(', ');
}
