import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { PublicForward } from '../../gateway/admin/forward/public-forward.ts';
import { createAdminServer, type AdminServerOptions } from '../../gateway/admin/server.ts';
import type { GatewayOptions } from '../../gateway/gateway.ts';
import { listen } from '../../gateway/http/listen.ts';
import { createLogger } from '../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../gateway/server/server.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import { DEFAULT_BOUNDS } from '../server-bounds.ts';
import { OPERATOR_CREDENTIAL } from './admin-credential.ts';
import { createRecordingNetwork } from './admin-network.ts';
import { createFixturePortal, writePortalFixture } from './portal-fixture.ts';
import { createSampleGateway } from './sample-gateway.ts';

export interface ForwardPairOptions {
  readonly platform: PlatformDependencies;
  /** Holds the built portal. */
  readonly folder: string;
  readonly admin?: Partial<AdminServerOptions>;
  readonly gateway?: Partial<GatewayOptions>;
  /** Whether the public server is said to be exposed. Default: false. */
  readonly exposed?: boolean;
  readonly log?: string[];
  /** Whether the admin server knows the public one. Default: true. */
  readonly forward?: boolean;
}

/** A public server with routes that tell what they see, and an admin server that forwards to it. */
export interface ForwardPair {
  readonly admin: URL;
  readonly rest: URL;
  /** What is written to it, `/swap/v2/parts` answers. */
  readonly parts: PassThrough;
  readonly close: () => Promise<void>;
}

/** Opens both servers on free ports. */
export async function openForwardPair({
  platform,
  folder,
  admin = {},
  gateway = {},
  exposed = false,
  log = [],
  forward: isConnected = true,
}: ForwardPairOptions): Promise<ForwardPair> {
  writePortalFixture(folder);
  const forward = new PublicForward();
  const parts = new PassThrough();
  const app = await createSampleGateway(
    { portal: createFixturePortal(folder), registerRoutes: (root) => registerSeen(root, parts), ...gateway },
    log,
  );
  const adminApp = await createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: createRecordingNetwork(),
    platform,
    limiter: createInProcessLimiter(),
    production: false,
    credential: OPERATOR_CREDENTIAL,
    forward,
    portal: true,
    ...admin,
  });
  if (isConnected) forward.connect({ app, basePaths: ['/swap'], exposed }, ['x-country']);
  const serve = async (server: FastifyInstance) =>
    new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: 'rest-port' }));
  return {
    admin: await serve(adminApp),
    rest: await serve(app),
    parts,
    close: async () => {
      await closeServer(app, 100);
      await closeServer(adminApp, 100);
    },
  };
}

/** Registers routes that answer what arrived, and one that answers what is written to `parts`. */
function registerSeen(app: FastifyInstance, parts: PassThrough): void {
  app.get('/swap/v2/seen', async ({ headers, raw, ip, method }) => ({
    method,
    ip,
    headers,
    raw: raw.rawHeaders.map((text) => text.toLowerCase()),
  }));
  app.post(
    '/swap/v2/echo',
    { schema: { body: Type.Object({ text: Type.String() }) } },
    async ({ body }) => body,
  );
  app.get('/swap/v2/parts', async (_request, reply) => reply.type('text/plain').send(parts));
  app.get('/swap/v2/breaks', async () => {
    throw new Error('the password is hunter2');
  });
}
