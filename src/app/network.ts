import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Chain } from '../chain/chain.ts';
import { type EmbeddedChain, startEmbeddedChain } from '../chain/embedded/network.ts';
import { addressList } from '../chain/rpc/accounts/address-list.ts';
import { openRpcChain } from '../chain/rpc/rpc-chain.ts';
import type { Config } from '../config/config.ts';
import type { Outside } from '../config/settings/outside-settings.ts';
import { keepDemoWallet } from '../data-folder/demo-files.ts';
import type { Part } from '../gateway/health/health.ts';
import { rpcUnhealthy } from '../gateway/health/rpc-health.ts';
import { buildGenesis, type Genesis } from './genesis/build-genesis.ts';
import { load } from '../chain/clone/load.ts';
import { overlayAccounts, readStandIns } from './genesis/network-accounts.ts';
import { packageRoot } from '../common/package.ts';
import type { Address } from '../solana/address.ts';
import type { Keypair } from '../solana/keypair.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';

/** The network that everything runs on, and what is only there when it is the embedded one. */
export interface Network {
  readonly chain: Chain;
  /** The same, with its controls; null over an outside RPC. */
  readonly embedded: EmbeddedChain | null;
  /** Tables that transactions may use. */
  readonly lookupTables: readonly Address[];
  /** Pays for takers without SOL; null over an outside RPC and in production. */
  readonly sponsor: Keypair | null;
  /** What must answer. */
  readonly parts: readonly Part[];
  readonly place: Place;
  /** The wallet of the demo maker; null over an outside RPC. */
  readonly demoMaker: Keypair | null;
}

/** Where the network is, for whoever starts the program. */
export type Place =
  | {
      readonly kind: 'embedded';
      readonly rpcUrl: string;
      readonly wsUrl: string;
      readonly wallet: Address;
      readonly walletFile: string;
    }
  | { readonly kind: 'outside'; readonly origin: string; readonly genesisHash: string };

/** That of the demo wallets which holds wrapped SOL and dollars to trade with. */
const DEMO_MAKER_WALLET = 5;

/** @throws OperatorError when the outside RPC does not answer, or the embedded network's folder or ports cannot be used */
export function openNetwork(config: Config, folder: string, logger: FastifyBaseLogger): Promise<Network> {
  return config.outside === null ? openEmbedded(config, folder, logger) : openOutside(config.outside, logger);
}

async function openEmbedded(config: Config, folder: string, logger: FastifyBaseLogger): Promise<Network> {
  const genesis = buildGenesis(config.seed);
  const [wallet] = genesis.keys.demoWallets;
  if (wallet === undefined) throw new Error('the genesis has no demo wallet');
  const walletFile = keepDemoWallet(folder, wallet);
  const chain = await startEmbedded(config, genesis, folder, logger);
  const { rpcUrl, wsUrl } = chain;
  return {
    chain,
    embedded: chain,
    lookupTables: genesis.lookupTables.map(({ address }) => address),
    sponsor: config.production ? null : genesis.keys.sponsor,
    parts: [
      { name: 'chain', unhealthy: () => chain.unhealthy() },
      { name: 'rpc', unhealthy: () => rpcUnhealthy(rpcUrl) },
    ],
    demoMaker: genesis.keys.demoWallets[DEMO_MAKER_WALLET] ?? null,
    place: { kind: 'embedded', rpcUrl, wsUrl, wallet: wallet.address, walletFile },
  };
}

async function startEmbedded(
  config: Config,
  genesis: Genesis,
  folder: string,
  logger: FastifyBaseLogger,
): Promise<EmbeddedChain> {
  const standIns = await readStandIns(genesis.programs, new URL('programs/dist/', packageRoot));
  const overlay = overlayAccounts(standIns, await load(config));
  return startEmbeddedChain({
    folder: config.ephemeral ? null : join(folder, 'network'),
    seed: config.seed,
    genesis: () => genesis.accounts,
    overlay,
    faucet: genesis.keys.faucet,
    mintAuthorities: [genesis.keys.mintAuthority],
    epochInstructions: genesis.epochInstructions,
    slotMs: config.slotMs,
    production: config.production,
    host: config.host,
    rpcPort: config.rpcPort,
    wsPort: config.wsPort,
    onDefect: (where, message) => logger.error({ where, message }, 'the network has a defect'),
  });
}

async function openOutside(outside: Outside, logger: FastifyBaseLogger): Promise<Network> {
  const { pools, lookupTables, ...rest } = outside;
  const tables = addressList(lookupTables, 'rpc-lookup-table');
  const chain = await openRpcChain({
    ...rest,
    programAccounts: pools.length === 0 ? null : addressList(pools, 'rpc-pool'),
    timers: SYSTEM_TIMERS,
    random: Math.random,
    onNotice: (message) => logger.warn(message),
  });
  return {
    chain,
    embedded: null,
    lookupTables: tables,
    sponsor: null,
    parts: [{ name: 'chain', unhealthy: () => chain.unhealthy() }],
    demoMaker: null,
    place: { kind: 'outside', origin: outside.url.origin, genesisHash: chain.genesisHash },
  };
}
