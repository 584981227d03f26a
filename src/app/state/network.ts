import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Chain } from '../../chain/chain.ts';
import type { EmbeddedChain } from '../../chain/embedded/network.ts';
import { readAddressList } from '../../chain/rpc/accounts/address-list.ts';
import { openRpcChain } from '../../chain/rpc/rpc-chain.ts';
import { openSendEndpoint, type SendEndpoint } from '../../chain/rpc/send-endpoint.ts';
import type { Config } from '../../config/config.ts';
import type { OutsideConfig } from '../../config/settings/groups/outside-settings.ts';
import { keepDemoWallet } from '../../data-folder/demo-files.ts';
import type { ReadinessCheck } from '../../products/product.ts';
import { findRpcProblem } from '../../gateway/health/rpc-health.ts';
import { formatHost } from '../../gateway/operation/format-host.ts';
import type { WatchedNode } from '../../gateway/operation/watched-servers.ts';
import type { DemoCollection } from '../../sandbox/demo/collections.ts';
import { type EmbeddedWallets, openEmbeddedNetwork } from '../../sandbox/open-embedded-network.ts';
import type { Address } from '../../solana/address.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';

/** The network that everything runs on. Some fields exist only for the embedded network. */
export interface OpenedNetwork {
  readonly chain: Chain;
  /** The same network with its controls; null over an outside RPC. */
  readonly embedded: EmbeddedChain | null;
  /** Further nodes that take transactions. */
  readonly sendEndpoints: readonly SendEndpoint[];
  /** Lookup tables that transactions may use. */
  readonly lookupTables: readonly Address[];
  /** Ids of the vaults of the second borrow market, in the order of their ids there. */
  readonly ethenaVaults: readonly number[];
  /** The collections of collectibles with a known floor price: none over an outside RPC. */
  readonly collections: readonly DemoCollection[];
  /** The creators of the launches of the genesis, by their pools: none over an outside RPC. */
  readonly launchCreators: ReadonlyMap<Address, Address>;
  /** The wallets of the genesis; null over an outside RPC. */
  readonly wallets: EmbeddedWallets | null;
  readonly readiness: readonly ReadinessCheck[];
  /** The nodes that are called, for the operator. */
  readonly nodes: readonly WatchedNode[];
  readonly place: NetworkLocation;
}

/** Where the network is, as the start banner shows it. */
export type NetworkLocation =
  | {
      readonly kind: 'embedded';
      readonly rpcUrl: string;
      readonly wsUrl: string;
      readonly wallet: Address;
      readonly walletFile: string;
    }
  | { readonly kind: 'outside'; readonly origin: string; readonly genesisHash: string };

/** Returns the address of the demo wallet; null over an outside RPC. */
export function findDemoWallet(place: NetworkLocation): Address | null {
  return place.kind === 'embedded' ? place.wallet : null;
}

/** Returns the URLs of the embedded network's Solana RPC; null over an outside RPC. */
export function findSolanaUrls(place: NetworkLocation): {
  readonly rpc: string | null;
  readonly ws: string | null;
} {
  return place.kind === 'embedded' ? { rpc: place.rpcUrl, ws: place.wsUrl } : { rpc: null, ws: null };
}

/** @throws OperatorError when the outside RPC does not answer, or the embedded network's folder or ports cannot be used */
export function openNetwork(
  config: Config,
  folder: string,
  logger: FastifyBaseLogger,
): Promise<OpenedNetwork> {
  return config.outside === null
    ? openEmbedded(config, folder, logger)
    : openOutside(config.outside, config.blockhashSlots, logger);
}

async function openEmbedded(
  config: Config,
  folder: string,
  logger: FastifyBaseLogger,
): Promise<OpenedNetwork> {
  const { chain, wallets, ...genesis } = await openEmbeddedNetwork({
    programs: config.programs,
    accountFiles: config.accountFiles,
    clones: config.clones,
    cloneFrom: config.cloneFrom,
    folder: config.ephemeral ? null : join(folder, 'network'),
    seed: config.seed,
    slotMs: config.slotMs,
    blockhashSlots: config.blockhashSlots,
    production: config.production,
    host: config.host,
    rpcPort: config.rpcPort,
    wsPort: config.wsPort,
    onNotice: (message) => logger.warn(message),
    keepDemoWallet: (wallet) => keepDemoWallet(folder, wallet),
    onDefect: (where, message) => logger.error({ where, message }, 'the embedded network failed'),
  });
  const { rpcUrl, wsUrl } = chain;
  return {
    chain,
    embedded: chain,
    sendEndpoints: [],
    lookupTables: genesis.lookupTables,
    ethenaVaults: genesis.ethenaVaults,
    collections: genesis.collections,
    launchCreators: genesis.launchCreators,
    wallets,
    readiness: [
      { name: 'chain', unhealthy: () => chain.unhealthy(), runbook: 'runbooks#sluicechainbehind' },
      { name: 'rpc', unhealthy: () => findRpcProblem(rpcUrl) },
    ],
    nodes: [
      {
        name: 'embedded network',
        host: formatHost(new URL(rpcUrl)),
        meaning: 'The network that this instance carries itself, and its RPC for clients.',
        isSource: true,
        read: () => null,
      },
    ],
    place: {
      kind: 'embedded',
      rpcUrl,
      wsUrl,
      wallet: wallets.demo.address,
      walletFile: genesis.demoWalletFile,
    },
  };
}

async function openOutside(
  outside: OutsideConfig,
  blockhashSlots: number,
  logger: FastifyBaseLogger,
): Promise<OpenedNetwork> {
  const { pools, lookupTables, ethenaVaults, sendUrls, ...rest } = outside;
  const tables = readAddressList(lookupTables, 'rpc-lookup-table');
  const chain = await openRpcChain({
    ...rest,
    blockhashSlots,
    programAccounts: pools.length === 0 ? null : readAddressList(pools, 'rpc-pool'),
    timers: SYSTEM_TIMERS,
    random: Math.random,
    onNotice: (message, isRecovery = false) => logger[isRecovery ? 'info' : 'warn'](message),
  });
  // The nodes are numbered in the order of the setting, because a URL, or even its host, may contain a key.
  const sendEndpoints = sendUrls.map((url, index) => ({
    url,
    endpoint: openSendEndpoint(`send-${index + 1}`, {
      url,
      callsPerSecond: outside.callsPerSecond,
      timers: SYSTEM_TIMERS,
      random: Math.random,
    }),
  }));
  return {
    chain,
    embedded: null,
    sendEndpoints: sendEndpoints.map(({ endpoint }) => endpoint),
    nodes: [
      {
        name: 'rpc',
        host: formatHost(outside.url),
        meaning: 'The RPC of rpc-url: everything that is known of the network comes from it.',
        isSource: true,
        read: chain.readNode,
      },
      ...sendEndpoints.map(({ url, endpoint }) => ({
        name: endpoint.name,
        host: formatHost(url),
        meaning:
          'A further node that transactions are sent to. It is never asked what is true of the network.',
        isSource: false,
        read: endpoint.read,
      })),
    ],
    lookupTables: tables,
    ethenaVaults,
    collections: [],
    launchCreators: new Map(),
    wallets: null,
    readiness: [{ name: 'chain', unhealthy: () => chain.unhealthy(), runbook: 'runbooks#sluicechainbehind' }],
    place: { kind: 'outside', origin: outside.url.origin, genesisHash: chain.genesisHash },
  };
}
