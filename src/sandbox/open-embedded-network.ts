import type { ClonedAccounts } from '../chain/clone/clone.ts';
import { load, type LoadRequest } from '../chain/clone/load.ts';
import {
  type EmbeddedChain,
  type EmbeddedChainOptions,
  startEmbeddedChain,
} from '../chain/embedded/network.ts';
import { packageRoot } from '../common/package.ts';
import { KEPT_FEEDS } from '../protocol/genesis/price-feeds.ts';
import { ETHENA_VAULTS } from '../protocols/jupiter-lend/vaults/genesis/plan.ts';
import { PROTOCOLS } from '../protocols/index.ts';
import type { Address } from '../solana/address.ts';
import type { Keypair } from '../solana/keypair.ts';
import { COLLECTIONS, type DemoCollection } from './demo/collections.ts';
import { buildGenesis, type Genesis } from './genesis/build-genesis.ts';
import { findMixedPrograms } from './genesis/mixed-programs.ts';
import { overlayAccounts, readStandIns } from './genesis/network-accounts.ts';
import { listPrograms } from './genesis/programs.ts';

/** The fields of `LoadRequest` say which programs and accounts are loaded in addition to those of the genesis. */
export interface EmbeddedNetworkOptions
  extends LoadRequest,
    Pick<
      EmbeddedChainOptions,
      'folder' | 'seed' | 'slotMs' | 'production' | 'host' | 'rpcPort' | 'wsPort' | 'onDefect'
    > {
  readonly blockhashSlots: number;
  /** Called before the network starts with what may fail because of the programs that are loaded, once for each cause. */
  readonly onNotice: (message: string) => void;
  /** Called before the network starts. Writes the keypair file of the first demo wallet, and returns its path. */
  readonly keepDemoWallet: (wallet: Keypair) => string;
}

/** The wallets of the genesis with which the instance, its examples and its user act. */
export interface EmbeddedWallets {
  /** The first demo wallet, which the user is told about. */
  readonly demo: Keypair;
  /** Pays for takers without SOL. */
  readonly sponsor: Keypair;
  /** Trades when pools follow the prices of the feeds. */
  readonly arbitrageur: Keypair;
  /** Holds the inventory of the demo maker. */
  readonly demoMaker: Keypair;
  /** Holds the inventory of the demo maker that is asked by webhook. */
  readonly webhookMaker: Keypair;
  readonly liquidator: Keypair;
  /** Fills orders of the DCA program, which takes fills of no other. */
  readonly dcaKeeper: Keypair;
  readonly predictions: PredictionWallets;
  /** Opens, settles and closes rounds of forecasts, and pays out. */
  readonly forecastOperator: Keypair;
  /** Trade once on prediction markets when the network begins, outside production. */
  readonly predictionTraders: readonly Keypair[];
}

/** The keys that the vault of prediction markets obeys. */
export interface PredictionWallets {
  /** Signs beside the owner of every order. */
  readonly authority: Keypair;
  /** Fills and closes orders, posts results and pays out. */
  readonly keeper: Keypair;
  /** The second signature of every fill. */
  readonly cosigner: Keypair;
}

/** The embedded network, and what is known of its genesis. */
export interface EmbeddedNetwork {
  readonly chain: EmbeddedChain;
  /** Lookup tables that transactions may use. */
  readonly lookupTables: readonly Address[];
  /** Ids of the vaults of the second borrow market, in the order of their ids there. */
  readonly ethenaVaults: readonly number[];
  /** The collections of collectibles with a known floor price. */
  readonly collections: readonly DemoCollection[];
  /** The creators of the launches of the genesis, by their pools. */
  readonly launchCreators: ReadonlyMap<Address, Address>;
  readonly wallets: EmbeddedWallets;
  /** The path of the keypair file of the first demo wallet. */
  readonly demoWalletFile: string;
}

/** Index of the demo wallet that holds wrapped SOL and dollars. */
const DEMO_MAKER_WALLET = 5;

/**
 * Starts the embedded network, which is founded with the genesis if the folder has none yet.
 * @throws OperatorError when the folder, a port, a program or an account that is loaded cannot be used
 */
export async function openEmbeddedNetwork(options: EmbeddedNetworkOptions): Promise<EmbeddedNetwork> {
  // This may ask an RPC for a while. It comes first, because interest accrues from the time of the genesis.
  const loaded = await load(options);
  const genesis = buildGenesis(options.seed, unixSeconds());
  const wallets = pickWallets(genesis);
  const demoWalletFile = options.keepDemoWallet(wallets.demo);
  const chain = await startChain(options, genesis, loaded);
  return {
    chain,
    lookupTables: genesis.lookupTables.map(({ address }) => address),
    ethenaVaults: ETHENA_VAULTS,
    collections: COLLECTIONS,
    launchCreators: listLaunchCreators(genesis),
    wallets,
    demoWalletFile,
  };
}

function listLaunchCreators({ pools }: Genesis): ReadonlyMap<Address, Address> {
  const creators = new Map<Address, Address>();
  for (const [venue, launches] of pools) {
    for (const launch of launches) {
      const creator = venue.launchCreator?.(launch);
      if (creator !== undefined) creators.set(launch.address, creator);
    }
  }
  return creators;
}

function pickWallets({ keys }: Genesis): EmbeddedWallets {
  const { demoWallets, sponsor, arbitrageur, webhookMaker, liquidator, dcaKeeper } = keys;
  const [demo, demoMaker] = [demoWallets[0], demoWallets[DEMO_MAKER_WALLET]];
  if (demo === undefined || demoMaker === undefined) throw new Error('the genesis has no demo wallet');
  const predictions = {
    authority: keys.predictionAuthority,
    keeper: keys.predictionKeeper,
    cosigner: keys.predictionCosigner,
  };
  return {
    demo,
    sponsor,
    arbitrageur,
    demoMaker,
    webhookMaker,
    liquidator,
    dcaKeeper,
    predictions,
    forecastOperator: keys.forecastOperator,
    predictionTraders: keys.predictionTraders,
  };
}

function unixSeconds(): bigint {
  return BigInt(Math.floor(Date.now() / 1_000));
}

async function startChain(
  {
    folder,
    seed,
    slotMs,
    blockhashSlots,
    production,
    host,
    rpcPort,
    wsPort,
    onNotice,
    onDefect,
  }: EmbeddedNetworkOptions,
  genesis: Genesis,
  loaded: ClonedAccounts,
): Promise<EmbeddedChain> {
  const standIns = await readStandIns(genesis.programs, new URL('programs/dist/', packageRoot));
  const mixed = findMixedPrograms(listPrograms(PROTOCOLS), standIns, loaded.programs);
  for (const notice of mixed) onNotice(notice);
  const overlay = overlayAccounts(standIns, loaded);
  // A network that is founded now begins with these accounts. A reset founds it again, at a later time.
  let founding: Genesis['accounts'] | null = genesis.accounts;
  const chain = await startEmbeddedChain({
    folder,
    seed,
    genesis: () => founding ?? buildGenesis(seed, unixSeconds()).accounts,
    overlay,
    faucet: genesis.keys.faucet,
    mintAuthorities: [genesis.keys.mintAuthority],
    epochInstructions: genesis.epochInstructions,
    priceFeeds: KEPT_FEEDS,
    slotMs,
    blockhashSlots,
    production,
    host,
    rpcPort,
    wsPort,
    onDefect,
  });
  founding = null;
  return chain;
}
