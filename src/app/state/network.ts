import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Chain } from '../../chain/chain.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../../chain/embedded/network.ts';
import { addressList } from '../../chain/rpc/accounts/address-list.ts';
import { openRpcChain } from '../../chain/rpc/rpc-chain.ts';
import { openSendEndpoint, type SendEndpoint } from '../../chain/rpc/send-endpoint.ts';
import type { Config } from '../../config/config.ts';
import type { Outside } from '../../config/settings/groups/outside-settings.ts';
import { keepDemoWallet } from '../../data-folder/demo-files.ts';
import type { ReadinessCheck } from '../../products/product.ts';
import { rpcUnhealthy } from '../../gateway/health/rpc-health.ts';
import { buildGenesis, type Genesis } from '../../sandbox/genesis/build-genesis.ts';
import { COLLECTIONS, type DemoCollection } from '../../sandbox/demo/collections.ts';
import { KEPT_FEEDS } from '../../protocol/genesis/price-feeds.ts';
import type { Loaded } from '../../chain/clone/clone.ts';
import { load } from '../../chain/clone/load.ts';
import { overlayAccounts, readStandIns } from '../../sandbox/genesis/network-accounts.ts';
import { ETHENA_VAULTS } from '../../protocols/jupiter-lend/vaults/genesis/plan.ts';
import { packageRoot } from '../../common/package.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';

/** The network that everything runs on. Some fields exist only for the embedded network. */
export interface Network {
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
  /** The wallet that pays for takers without SOL; null over an outside RPC and in production. */
  readonly sponsor: Keypair | null;
  /** What `/readyz` checks. */
  readonly readiness: readonly ReadinessCheck[];
  readonly place: Place;
  /** The wallet that trades when pools follow the prices of the feeds; null over an outside RPC and in production. */
  readonly arbitrageur: Keypair | null;
  /** The wallet of the demo maker; null over an outside RPC. */
  readonly demoMaker: Keypair | null;
  /** The wallet of the demo maker that is asked by webhook; null where there is none. */
  readonly webhookMaker: Keypair | null;
  /** The wallet of the liquidator; null over an outside RPC. */
  readonly liquidator: Keypair | null;
}

/** Where the network is, as the start banner shows it. */
export type Place =
  | {
      readonly kind: 'embedded';
      readonly rpcUrl: string;
      readonly wsUrl: string;
      readonly wallet: Address;
      readonly walletFile: string;
    }
  | { readonly kind: 'outside'; readonly origin: string; readonly genesisHash: string };

/** @returns the address of the demo wallet; null over an outside RPC */
export function demoWalletOf(place: Place): Address | null {
  return place.kind === 'embedded' ? place.wallet : null;
}

/** @returns the URLs of the embedded network's Solana RPC; null over an outside RPC */
export function solanaUrlsOf(place: Place): { readonly rpc: string | null; readonly ws: string | null } {
  return place.kind === 'embedded' ? { rpc: place.rpcUrl, ws: place.wsUrl } : { rpc: null, ws: null };
}

/** Index of the demo wallet that holds wrapped SOL and dollars. */
const DEMO_MAKER_WALLET = 5;

/** @throws OperatorError when the outside RPC does not answer, or the embedded network's folder or ports cannot be used */
export function openNetwork(config: Config, folder: string, logger: FastifyBaseLogger): Promise<Network> {
  return config.outside === null
    ? openEmbedded(config, folder, logger)
    : openOutside(config.outside, config.blockhashSlots, logger);
}

async function openEmbedded(config: Config, folder: string, logger: FastifyBaseLogger): Promise<Network> {
  // This may ask an RPC for a while. It comes first, because interest accrues from the time of the genesis.
  const loaded = await load(config);
  const genesis = buildGenesis(config.seed, unixSeconds());
  const [wallet] = genesis.keys.demoWallets;
  if (wallet === undefined) throw new Error('the genesis has no demo wallet');
  const walletFile = keepDemoWallet(folder, wallet);
  const chain = await startEmbedded(config, { genesis, loaded }, folder, logger);
  const { rpcUrl, wsUrl } = chain;
  return {
    chain,
    embedded: chain,
    sendEndpoints: [],
    lookupTables: genesis.lookupTables.map(({ address }) => address),
    ethenaVaults: ETHENA_VAULTS,
    collections: COLLECTIONS,
    sponsor: config.production ? null : genesis.keys.sponsor,
    arbitrageur: config.production ? null : genesis.keys.arbitrageur,
    readiness: [
      { name: 'chain', unhealthy: () => chain.unhealthy() },
      { name: 'rpc', unhealthy: () => rpcUnhealthy(rpcUrl) },
    ],
    demoMaker: genesis.keys.demoWallets[DEMO_MAKER_WALLET] ?? null,
    webhookMaker: genesis.keys.webhookMaker,
    liquidator: genesis.keys.liquidator,
    place: { kind: 'embedded', rpcUrl, wsUrl, wallet: wallet.address, walletFile },
  };
}

function unixSeconds(): bigint {
  return BigInt(Math.floor(Date.now() / 1_000));
}

async function startEmbedded(
  config: Config,
  { genesis, loaded }: { readonly genesis: Genesis; readonly loaded: Loaded },
  folder: string,
  logger: FastifyBaseLogger,
): Promise<EmbeddedChain> {
  const standIns = await readStandIns(genesis.programs, new URL('programs/dist/', packageRoot));
  const overlay = overlayAccounts(standIns, loaded);
  // A network that is founded now begins with these accounts. A reset founds it again, at a later time.
  let founding: Genesis['accounts'] | null = genesis.accounts;
  const chain = await startEmbeddedChain({
    folder: config.ephemeral ? null : join(folder, 'network'),
    seed: config.seed,
    genesis: () => founding ?? buildGenesis(config.seed, unixSeconds()).accounts,
    overlay,
    faucet: genesis.keys.faucet,
    mintAuthorities: [genesis.keys.mintAuthority],
    epochInstructions: genesis.epochInstructions,
    priceFeeds: KEPT_FEEDS,
    slotMs: config.slotMs,
    blockhashSlots: config.blockhashSlots,
    production: config.production,
    host: config.host,
    rpcPort: config.rpcPort,
    wsPort: config.wsPort,
    onDefect: (where, message) => logger.error({ where, message }, 'the embedded network failed'),
  });
  founding = null;
  return chain;
}

async function openOutside(
  outside: Outside,
  blockhashSlots: number,
  logger: FastifyBaseLogger,
): Promise<Network> {
  const { pools, lookupTables, ethenaVaults, sendUrls, ...rest } = outside;
  const tables = addressList(lookupTables, 'rpc-lookup-table');
  const chain = await openRpcChain({
    ...rest,
    blockhashSlots,
    programAccounts: pools.length === 0 ? null : addressList(pools, 'rpc-pool'),
    timers: SYSTEM_TIMERS,
    random: Math.random,
    onNotice: (message, isRecovery = false) => logger[isRecovery ? 'info' : 'warn'](message),
  });
  return {
    chain,
    embedded: null,
    // The nodes are numbered in the order of the setting, because a URL, or even its host, may contain a key.
    sendEndpoints: sendUrls.map((url, index) =>
      openSendEndpoint(`send-${index + 1}`, {
        url,
        callsPerSecond: outside.callsPerSecond,
        timers: SYSTEM_TIMERS,
        random: Math.random,
      }),
    ),
    lookupTables: tables,
    ethenaVaults,
    collections: [],
    sponsor: null,
    arbitrageur: null,
    readiness: [{ name: 'chain', unhealthy: () => chain.unhealthy() }],
    demoMaker: null,
    webhookMaker: null,
    liquidator: null,
    place: { kind: 'outside', origin: outside.url.origin, genesisHash: chain.genesisHash },
  };
}
