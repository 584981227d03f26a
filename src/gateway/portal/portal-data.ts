import { promisify } from 'node:util';
import { gzip as compress } from 'node:zlib';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { packageRoot } from '../../common/package.ts';
import type { ProductDescription } from '../../products/product.ts';
import type { TransactionDecoder } from '../../transactions/decoding/decode-transaction.ts';
import type { AccountDecoder } from '../../transactions/decoding/accounts/decode-account.ts';
import type { OpenApiDocument } from '../docs/openapi.ts';
import { OPEN } from '../docs/static-routes.ts';
import { sendGatewayError } from '../http/errors.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import { registerPortalFaucet } from './network/faucet-endpoint.ts';
import type { PortalNetwork } from './network/portal-network.ts';
import { OutsideBudget, type PortalOutside, registerOutsideRpc } from './network/outside-rpc.ts';
import { registerPortalRpc } from './network/rpc-endpoint.ts';
import { registerPortalSlots } from './slots/slots-endpoint.ts';
import type { PortalSlots } from './slots/slot-feed.ts';
import { registerPortalPools } from './pools/pool-endpoints.ts';
import type { PortalPools } from './pools/portal-pools.ts';
import { registerAccounts } from './accounts-endpoint.ts';
import { registerDecode } from './decode-endpoint.ts';
import { hashPortalFile, type PortalFile } from './portal-build.ts';
import { describeInstance, type PortalFacts } from './portal-instance.ts';
import { readErrorSections } from './error-sections.ts';
import { sendFile } from './send-file.ts';
import { findForeignOrigin, type OwnOriginOptions } from './own-origin.ts';

/** The path of what the pages of the portal read. */
export const DATA_PATH = '/portal/data';

/** The data is counted like other requests, costs nothing, belongs to no product, and is not part of the OpenAPI document. */
export const PORTAL_DATA = {
  config: { credits: 0, belongsToNoProduct: true, ownOrigin: true },
  schema: { hide: true },
} as const;

export interface PortalDataOptions extends OwnOriginOptions {
  readonly facts: PortalFacts;
  readonly products: readonly ProductDescription[];
  readonly buildDocument: () => OpenApiDocument;
  readonly decoder: TransactionDecoder;
  readonly pools: PortalPools;
  readonly accounts: AccountDecoder;
  /** Null over an outside RPC and in production, where pages can neither call the network nor use a faucet. */
  readonly network: PortalNetwork | null;
  /** Null on the embedded network. */
  readonly outside: PortalOutside | null;
  readonly slots: PortalSlots;
  readonly streams: EventStreams;
}

/** Registers what the pages of the portal read: about the instance, its OpenAPI document, and its errors. */
export function registerPortalData(root: FastifyInstance, options: PortalDataOptions): void {
  const {
    facts,
    products,
    buildDocument,
    decoder,
    accounts,
    pools,
    isLoopbackOnly,
    outside,
    slots,
    streams,
  } = options;
  root.register(async (app) => {
    const budget = outside === null ? null : new OutsideBudget(outside);
    addOwnOriginCheck(app, { isLoopbackOnly });
    app.get(`${DATA_PATH}/instance`, PORTAL_DATA, async ({ raw }, reply) =>
      reply.header('cache-control', 'no-store').send(describeInstance(raw, facts, products)),
    );
    serveFixed(app, `${DATA_PATH}/openapi`, buildDocument);
    registerDecode(app, `${DATA_PATH}/decode`, PORTAL_DATA, decoder, budget);
    registerPortalPools(app, `${DATA_PATH}/pools`, PORTAL_DATA, pools);
    registerAccounts(app, `${DATA_PATH}/accounts`, PORTAL_DATA, accounts, budget);
    registerPortalSlots(app, `${DATA_PATH}/slots/stream`, PORTAL_DATA, slots, streams);
    registerNetworkCalls(app, options, budget);
    serveFixed(app, `${DATA_PATH}/errors`, () => ({ sections: readErrorSections(packageRoot, products) }));
  });
}

/** Registers the network's RPC and its faucet, or what says why they are not there. */
function registerNetworkCalls(
  app: FastifyInstance,
  { network, outside }: Pick<PortalDataOptions, 'network' | 'outside'>,
  budget: OutsideBudget | null,
): void {
  const [rpc, faucet] = [`${DATA_PATH}/rpc`, `${DATA_PATH}/faucet`];
  if (network !== null) {
    registerPortalRpc(app, rpc, PORTAL_DATA, network);
    registerPortalFaucet(app, faucet, PORTAL_DATA, network);
    return;
  }
  const refusal =
    'Pages call the network, and its faucet, only where it is the embedded one and production is off';
  const isOutside = outside !== null && budget !== null;
  if (isOutside) registerOutsideRpc(app, rpc, PORTAL_DATA, outside, budget);
  for (const path of isOutside ? [faucet] : [rpc, faucet])
    app.post(path, PORTAL_DATA, async (_request, reply) => sendGatewayError(reply, 404, refusal));
}

/** Registers the OpenAPI document of the admin interface, on the admin server, which checks by itself who asks. */
export function registerAdminDocument(app: FastifyInstance, buildDocument: () => OpenApiDocument): void {
  serveFixed(app, `${DATA_PATH}/openapi/admin`, buildDocument, OPEN);
}

/** Refuses requests of pages of other origins. */
function addOwnOriginCheck(app: FastifyInstance, options: OwnOriginOptions): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const refusal = findForeignOrigin(raw, options);
    return refusal === null ? undefined : sendGatewayError(reply, 403, refusal);
  });
}

/**
 * Serves what does not change while the server runs. It is built at the first request, when every route is registered, and
 * compressed, because the OpenAPI document is the largest thing that the first view of a page loads.
 */
function serveFixed(
  app: FastifyInstance,
  path: string,
  build: () => object,
  options: RouteShorthandOptions = PORTAL_DATA,
): void {
  // All answers share these bytes.
  let document: Promise<PortalFile> | undefined;
  app.get(path, options, async (request, reply) => {
    document ??= createJsonFile(build());
    return sendFile(await document, request, reply.header('cache-control', 'no-cache'));
  });
}

async function createJsonFile(value: object): Promise<PortalFile> {
  const identity = Buffer.from(JSON.stringify(value));
  const hash = hashPortalFile(identity);
  const gzip = await promisify(compress)(identity);
  return { type: 'application/json; charset=utf-8', identity, br: null, gzip, hash };
}
