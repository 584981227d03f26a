import type { Static, TSchema } from 'typebox';
import type { Result } from '../../../common/refusal.ts';
import type { AdminAction } from '../../../platform/accounts/roles.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { type AdminEndpoint, type AdminRequest, defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { Deleted } from './platform-schema.ts';
import type { PlatformServices } from './platform-services.ts';

/** What an endpoint that deletes something declares. */
interface Deletion<Params extends TSchema> {
  readonly path: string;
  readonly right: AdminAction;
  /** A phrase that says what is deleted. */
  readonly summary: string;
  readonly params: Params;
  /** Called with the validated parameters, and with the request, which says who deletes. */
  readonly remove: (
    services: PlatformServices,
    params: Static<Params>,
    request: AdminRequest,
  ) => Promise<Result<void>>;
}

/** Defines an endpoint that deletes what its path names, and answers 204. */
export function defineDeletion<Params extends TSchema>({
  path,
  right,
  summary,
  params,
  remove,
}: Deletion<Params>): AdminEndpoint<PlatformServices> {
  return defineAdminEndpoint({
    method: 'DELETE',
    path,
    right,
    summary,
    params,
    responses: { 204: Deleted },
    handle: async (services: PlatformServices, request) => {
      unwrapResult(await remove(services, request.params, request));
      return null;
    },
  });
}
