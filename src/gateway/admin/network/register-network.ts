import type { FastifyInstance } from 'fastify';
import { NetworkRefused } from '../../../chain/embedded/ledger/bank.ts';
import type { RunningAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import { registerAdminEndpoint } from '../endpoint/register-endpoint.ts';
import { answerError, sendGatewayError, type Thrown } from '../../http/errors.ts';
import { RequestInvalid } from '../../http/validation.ts';

const PREFIX = '/admin/v1/network';

/**
 * Registers what can be done to the embedded network. With `production`, each is answered with 403.
 * @param endpoints - Null over an outside RPC: whatever is asked of the network is answered with 403.
 */
export function registerNetwork(
  root: FastifyInstance,
  endpoints: readonly RunningAdminEndpoint[] | null,
  production: boolean,
): void {
  if (endpoints === null) {
    const refusal =
      'This instance runs over an outside RPC (rpc-url): it has no faucet and no controls of that network';
    for (const path of [PREFIX, `${PREFIX}/*`]) {
      root.all(path, { schema: { hide: true } }, async (_request, reply) =>
        sendGatewayError(reply, 403, refusal),
      );
    }
    return;
  }
  root.register(async (scope) => {
    scope.setErrorHandler((error: Thrown, request, reply) =>
      answerError(isRefusal(error) ? new RequestInvalid(error.message) : error, request, reply),
    );
    scope.addHook('onRequest', async (_request, reply) => {
      if (!production) return undefined;
      return sendGatewayError(
        reply,
        403,
        'The network’s controls are for tests, and this instance runs with production=true',
      );
    });
    for (const endpoint of endpoints) registerAdminEndpoint(scope, endpoint);
  });
}

function isRefusal(error: Error): boolean {
  return error instanceof NetworkRefused && error.kind === 'request';
}
