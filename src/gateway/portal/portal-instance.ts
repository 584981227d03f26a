import type { IncomingMessage } from 'node:http';
import { readPackageVersion } from '../../common/package.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { ProductDescription } from '../../products/product.ts';
import { findForwarding } from '../http/forwarded-requests.ts';
import { isFromProxy, isLocalRequest } from '../http/local-request.ts';

/** Where the ports of the instance are. */
export interface PortalUrls {
  readonly rest: string;
  readonly admin: string;
  readonly grpc: string;
  /** Null over an outside RPC. */
  readonly rpc: string | null;
  readonly ws: string | null;
}

/** What the portal knows of the instance from its start on. */
export interface PortalFacts {
  readonly production: boolean;
  /** Whether callers without a key are refused. */
  readonly requiresKey: boolean;
  /** The URL of an outside RPC may contain a key, so it is not shown. */
  readonly network: { readonly kind: 'embedded'; readonly genesis: string } | { readonly kind: 'rpc' };
  /** The address of the demo wallet; null if there is none. */
  readonly demoWallet: string | null;
  /** Returns null until the ports listen. */
  readonly getUrls: () => PortalUrls | null;
}

/** The answer of `/portal/data/instance`. */
export interface PortalInstance {
  readonly version: string;
  /** The port that the page was loaded from. */
  readonly port: 'rest' | 'admin';
  readonly production: boolean;
  readonly requiresKey: boolean;
  readonly network: PortalFacts['network'];
  /** Those of the admin interface and of the network are shown on this machine only. */
  readonly urls: Omit<PortalUrls, 'admin'> & { readonly admin: string | null };
  readonly demoWallet: string | null;
  readonly products: readonly {
    readonly name: string;
    readonly description: string;
    readonly basePath: string;
  }[];
  /** Whether the page has controls of the embedded network, which only this machine has. */
  readonly controls: boolean;
}

/**
 * Describes the instance to the page that asked.
 * @throws Unavailable while the ports are being opened
 */
export function describeInstance(
  request: IncomingMessage,
  { getUrls, network, production, requiresKey, demoWallet }: PortalFacts,
  products: readonly ProductDescription[],
): PortalInstance {
  const forwarding = findForwarding(request);
  const port = forwarding === null ? 'rest' : 'admin';
  const isHere = isLocalRequest(request) && !(forwarding?.isFromProxy ?? isFromProxy(request));
  return {
    version: readPackageVersion(),
    port,
    production,
    requiresKey,
    network,
    urls: selectShownUrls(isHere, getUrls()),
    demoWallet,
    products: products
      .filter(({ isForMakers }) => isForMakers !== true)
      .map(({ name, description, basePaths: [basePath = ''] }) => ({ name, description, basePath })),
    controls: isHere && port === 'admin' && network.kind === 'embedded' && !production,
  };
}

function selectShownUrls(isHere: boolean, urls: PortalUrls | null): PortalInstance['urls'] {
  if (urls === null) throw new Unavailable('The instance is starting', { retryAfterSeconds: 1 });
  const { rest, grpc, admin, rpc, ws } = urls;
  return isHere ? { rest, grpc, admin, rpc, ws } : { rest, grpc, admin: null, rpc: null, ws: null };
}
