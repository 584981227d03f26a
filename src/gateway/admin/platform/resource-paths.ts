import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { AdminAction } from '../../../platform/accounts/roles.ts';
import type { Result } from '../../../common/refusal.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { Deleted } from './platform-schema.ts';

/** The paths of an organisation's and of a team's resources. */
export const ORGANISATIONS = '/admin/v1/organisations';
export const TEAMS = `${ORGANISATIONS}/:organisation/teams`;

/**
 * Adds to a route's schema what the documentation shows of it.
 * @param summary - A phrase that says what the route does.
 * @returns the schema, with the tag `platform`
 */
export function createPlatformSchema<S extends object>(summary: string, schema: S) {
  return { tags: ['platform'], summary, ...schema };
}

/** What a route that deletes something declares. */
export interface Deletion<Params extends TSchema> {
  readonly right: AdminAction;
  /** A phrase that says what is deleted. */
  readonly summary: string;
  readonly params: Params;
}

/**
 * Registers a route that deletes what its path names, and answers 204.
 * @param remove - Called with the request, from which the actor is read, and its validated parameters.
 */
export function registerDeletion<Params extends TSchema>(
  root: FastifyInstance,
  path: string,
  { right, summary, params }: Deletion<Params>,
  remove: (request: FastifyRequest, params: Static<Params>) => Promise<Result<void>>,
): void {
  const schema = createPlatformSchema(summary, { params, response: { 204: Deleted } });
  root.delete(path, { config: { right }, schema }, async (request, reply) => {
    unwrapResult(await remove(request, request.params as Static<Params>));
    return reply.code(204).send(null);
  });
}
