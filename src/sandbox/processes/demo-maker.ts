import type { Pools } from '../../market/pools/pools.ts';
import { DOLLARS, DOLLARS_PER_ATOM } from '../../market/prices/prices.ts';
import { addMaker, type MakerRegistry } from '../../rfq/records/maker-registry.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { findDirectMid } from '../../market-data/prices/mids.ts';
import { type ExampleHost, runExample } from './example-process.ts';

export interface DemoMakerOptions {
  /** The wallet that holds the inventory. */
  readonly wallet: Address;
  /** The path of the wallet's keypair file. */
  readonly walletFile: string;
  /** The key with which the maker connects. */
  readonly key: string;
  /** The URL that makers connect to. */
  readonly grpcUrl: string;
  readonly registry: MakerRegistry;
  /** Makes changes in the name of the demo. */
  readonly makeChangesAs: (actor: {
    readonly who: string;
    readonly from: string;
  }) => Parameters<typeof addMaker>[1];
  /** Reads the makers from the database, so that a new one can connect. */
  readonly refresh: () => Promise<void>;
  /** The first price is computed from these pools. */
  readonly pools: Pools;
}

const DEMO_MAKER = 'demo-maker';
const ACTOR = { who: 'first start', from: 'this process' };
const LAMPORTS_PER_SOL = 1e9;

/**
 * Runs the example maker in a process of its own. As any maker, it knows only where to connect, its key, and a first
 * price of SOL.
 */
export async function openDemoMaker(
  host: ExampleHost,
  { wallet, walletFile, key, grpcUrl, registry, makeChangesAs, refresh, pools }: DemoMakerOptions,
): Promise<void> {
  const terms = { id: DEMO_MAKER, address: wallet, pairs: null };
  const added = await addMaker(registry, makeChangesAs(ACTOR), terms, key);
  if (added.ok) await refresh();
  // An earlier start added it; changes that the operator has made since then are kept.
  else if (added.error.code !== 'already-exists') {
    throw new Error(`the demo maker cannot be added: ${added.error.message}`);
  }
  runExample(host, {
    name: DEMO_MAKER,
    example: 'maker',
    env: {
      SLUICE_GRPC: grpcUrl,
      SLUICE_MAKER_KEY: key,
      SLUICE_MAKER_ID: DEMO_MAKER,
      SLUICE_MAKER_WALLET: walletFile,
      ...findStartingPrice(pools),
    },
  });
}

/**
 * Returns the price of SOL in dollars, as an environment variable; nothing when no pool prices SOL. It is the price of the
 * pools: a maker that began at that of the last trade, which had paid a fee, would lose every order in one direction.
 */
export function findStartingPrice(pools: Pools): { readonly SLUICE_MAKER_PRICE?: string } {
  const found = findDirectMid(pools, WRAPPED_SOL_MINT, (mint) =>
    DOLLARS.includes(mint) ? DOLLARS_PER_ATOM : null,
  );
  if (found === null) return {};
  return { SLUICE_MAKER_PRICE: (found.mid.dollarsPerAtom * LAMPORTS_PER_SOL).toFixed(6) };
}
