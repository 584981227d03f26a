import * as orca from '@orca-so/whirlpools-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../../testing/random.ts';
import { openTestMarket } from '../../../testing/genesis-market/open.ts';
import { ManualTimers } from '../../../testing/timers.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import type { Fetched } from '../../../protocol/positions/fetcher.ts';
import { TestView } from '../../../testing/protocols/wallet-view.ts';
import { openWalletReader } from '../../../protocol/positions/wallet-reader.ts';
import { type Address, toAddressBytes, toAddress } from '../../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../../testing/token-account.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { getGenesisPools } from '../../../protocol/genesis/venue-genesis.ts';
import { deriveBundledPositionAddress, derivePositionBundleAddress } from '../program/addresses.ts';
import { type GenesisWhirlpool, whirlpoolGenesis } from '../genesis/genesis.ts';
import { decodeWhirlpool, encodePosition, encodeWhirlpool } from '../program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../program/program.ts';
import { whirlpoolPositions } from './fetcher.ts';
import { MAX_BUNDLED_POSITIONS } from './held-accounts.ts';
import { decodePositionBundle } from './layout.ts';

describe('whirlpoolPositions, of bundles', () => {
  it('shows the open positions, of pools of both token programs, as Orca’s library values them', async () => {
    const view = new TestView(market.genesis.accounts);
    const pools = [findWhirlpoolWith('USDC'), findWhirlpoolWith('BERN')];
    const open = [0, 7, 8, 255];
    addBundle(view, BUNDLE_MINT, open);
    const expected = open.map((index, at) => {
      const pool = pools[at % 2];
      if (pool === undefined) throw new Error('two pools expected');
      addPosition(view, index, pool);
      return [deriveBundledPositionAddress(BUNDLE_MINT, index), quoted(view, pool)];
    });
    const wallet = reader(view);
    const fetched = await whirlpoolPositions.fetch(wallet);
    expect(fetched.unreadable).toEqual([]);
    expect(amountsOf(fetched)).toEqual(expected);
    expect(await wallet.claimedMints()).toEqual(new Set([BUNDLE_MINT]));
  });

  it('reads a bundle with its first position alone in as many rounds as a single position', async () => {
    const view = new TestView(market.genesis.accounts);
    addBundle(view, BUNDLE_MINT, [0]);
    addPosition(view, 0, findWhirlpoolWith('USDC'));
    expect(amountsOf(await whirlpoolPositions.fetch(reader(view)))).toHaveLength(1);
    // Mints with what they stand for, pools, and tick arrays.
    expect(view.reads).toHaveLength(3);
  });

  it('shows of rewards what the vault still holds, for all positions together, and reports an unreadable pool', async () => {
    const view = new TestView(market.genesis.accounts);
    const [sol, bern] = [findWhirlpoolWith('USDC'), findWhirlpoolWith('BERN')];
    const [vault, held] = [toAddress(new Uint8Array(32).fill(7)), 1_000n];
    addBundle(view, BUNDLE_MINT, [0, 1, 2]);
    for (const index of [0, 1]) addPosition(view, index, sol);
    addPosition(view, 2, bern);
    const account = view.accounts.get(sol.address);
    const pool = decodeWhirlpool(account?.data ?? new Uint8Array(0));
    const [first, ...others] = pool.rewards;
    // Each position has earned some 10^11 atoms.
    const reward = { ...first, mint: getGenesisToken('USDC').mint, vault, growthGlobal: 1n << 64n };
    const rewards = [reward, ...others] as unknown as typeof pool.rewards;
    view.set(sol.address, WHIRLPOOL_PROGRAM, encodeWhirlpool({ ...pool, rewards }));
    view.set(
      vault,
      TOKEN_PROGRAM,
      ordinaryTokenAccount({ mint: reward.mint, owner: sol.address, amount: held }),
    );
    view.set(bern.address, WHIRLPOOL_PROGRAM, new Uint8Array(5));
    const { elements, unreadable } = await whirlpoolPositions.fetch(reader(view));
    const shown = elements.flatMap((element) =>
      element.type === 'liquidity' ? element.liquidities.map(({ rewardAssets }) => rewardAssets) : [],
    );
    expect(shown.map((assets) => assets.slice(2).map(({ amount }) => amount))).toEqual([[held], [0n]]);
    expect(unreadable?.map(({ address }) => address)).toEqual([deriveBundledPositionAddress(BUNDLE_MINT, 2)]);
  });

  it('reports positions that cannot be read, and shows the others', async () => {
    const view = new TestView(market.genesis.accounts);
    addBundle(view, BUNDLE_MINT, [1, 2, 3, 4]);
    for (const index of [1, 2, 3]) addPosition(view, index, findWhirlpoolWith('USDC'));
    const [good, cut, foreign, missing] = [1, 2, 3, 4].map((index) =>
      deriveBundledPositionAddress(BUNDLE_MINT, index),
    ) as [Address, Address, Address, Address];
    view.set(cut, WHIRLPOOL_PROGRAM, new Uint8Array(100));
    view.set(foreign, TOKEN_PROGRAM, new Uint8Array(216));
    const fetched = await whirlpoolPositions.fetch(reader(view));
    expect(amountsOf(fetched).map(([ref]) => ref)).toEqual([good]);
    expect(fetched.unreadable?.map(({ address }) => address).sort()).toEqual([cut, foreign, missing].sort());
  });

  it('reports a bundle whose account has another form', async () => {
    const view = new TestView(market.genesis.accounts);
    addBundle(view, BUNDLE_MINT, [0]);
    view.set(derivePositionBundleAddress(BUNDLE_MINT), WHIRLPOOL_PROGRAM, new Uint8Array(136));
    const { elements, unreadable } = await whirlpoolPositions.fetch(reader(view));
    expect(elements).toEqual([]);
    expect(unreadable?.map(({ address }) => address)).toEqual([derivePositionBundleAddress(BUNDLE_MINT)]);
  });

  it('reads a bounded number of positions of a wallet that was sent full bundles', async () => {
    const view = new TestView(market.genesis.accounts);
    const mints = [10, 11, 12].map((byte) => toAddress(new Uint8Array(32).fill(byte)));
    const every = Array.from({ length: 256 }, (_, index) => index);
    for (const mint of mints) addBundle(view, mint, every);
    const { elements, unreadable } = await whirlpoolPositions.fetch(reader(view));
    expect(elements).toEqual([]);
    const beyond = unreadable?.filter(({ reason }) => reason.includes('are beyond the 512 that are read'));
    expect(beyond).toHaveLength(1);
    expect(unreadable).toHaveLength(MAX_BUNDLED_POSITIONS + 1);
  });
});

describe('decodePositionBundle', () => {
  it('finds the positions that Orca’s library finds', () => {
    const sets = fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { maxLength: 256 });
    for (const indexes of sampleCases(sets, { cases: 200, seed: SEED })) {
      const data = bundle(BUNDLE_MINT, indexes);
      const { mint, open } = decodePositionBundle(data);
      expect(mint).toBe(BUNDLE_MINT);
      expect(open).toEqual([...indexes].sort((one, other) => one - other));
      const free = Array.from({ length: 256 }, (_, index) => index).find((index) => !open.includes(index));
      const bitmap = data.slice(BITMAP_AT, BITMAP_AT + 32);
      expect(orca.firstUnoccupiedPositionInBundle(bitmap) ?? undefined).toBe(free);
      expect(orca.isPositionBundleEmpty(bitmap)).toBe(open.length === 0);
    }
  });
});

const SEED = 1_503;
const [OWNER, BUNDLE_MINT] = [1, 2].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
];
const BITMAP_AT = 40;

const market = await openTestMarket('without programs');

/** A bundle as the program writes it: discriminator, mint, a bit for each open position, and reserved bytes. */
function bundle(mint: Address, open: readonly number[]): Uint8Array {
  const data = new Uint8Array(136);
  data.set(Buffer.from('81a9af41b95f2064', 'hex'));
  data.set(toAddressBytes(mint), 8);
  for (const index of open) {
    const at = BITMAP_AT + Math.floor(index / 8);
    data[at] = (data[at] ?? 0) + 2 ** (index % 8);
  }
  return data;
}

/** Gives the wallet a bundle with these positions open. */
function addBundle(view: TestView, mint: Address, open: readonly number[]): void {
  const base = { mintAuthority: null, supply: 1n, decimals: 0, freezeAuthority: null };
  view.set(mint, TOKEN_PROGRAM, encodeMint({ ...base, extensions: [] }));
  view.set(derivePositionBundleAddress(mint), WHIRLPOOL_PROGRAM, bundle(mint, open));
  const token = toAddress(toAddressBytes(mint).map((byte) => byte ^ 0xff));
  view.set(token, TOKEN_PROGRAM, ordinaryTokenAccount({ mint, owner: OWNER, amount: 1n }));
}

function findWhirlpoolWith(symbol: string): GenesisWhirlpool {
  const pools = getGenesisPools(market.genesis, whirlpoolGenesis);
  const pool = pools.find(({ mints }) => mints.includes(getGenesisToken(symbol).mint));
  if (pool === undefined) throw new Error(`the genesis has no whirlpool of ${symbol}`);
  return pool;
}

const LIQUIDITY = 123_456_789_012n;

/** Writes a position between the ticks of the pool's own first one. */
function addPosition(view: TestView, index: number, pool: GenesisWhirlpool): void {
  const [range] = pool.positions;
  if (range === undefined) throw new Error(`${pool.address} has no position`);
  const { lowerTick, upperTick } = range;
  const data = encodePosition({
    whirlpool: pool.address,
    mint: BUNDLE_MINT,
    liquidity: LIQUIDITY,
    lowerTick,
    upperTick,
    feeGrowthCheckpoints: [0n, 0n],
    feesOwed: [3n, 5n],
  });
  view.set(deriveBundledPositionAddress(BUNDLE_MINT, index), WHIRLPOOL_PROGRAM, data);
}

/** What Orca's own library says that withdrawing such a position pays. */
function quoted(view: TestView, pool: GenesisWhirlpool): readonly bigint[] {
  const { sqrtPrice } = decodeWhirlpool(view.accounts.get(pool.address)?.data ?? new Uint8Array(0));
  const [range] = pool.positions;
  const [lower, upper] = [range?.lowerTick ?? 0, range?.upperTick ?? 0];
  const { tokenEstA, tokenEstB } = orca.decreaseLiquidityQuote(LIQUIDITY, 0, sqrtPrice, lower, upper);
  return [tokenEstA, tokenEstB];
}

function reader(view: TestView) {
  const failed = (_: string, error: unknown) => {
    throw error;
  };
  return openWalletReader(view, OWNER, [whirlpoolPositions], failed, new ManualTimers());
}

const amountsOf = ({ elements }: Fetched) =>
  elements.flatMap((element) =>
    element.type === 'liquidity'
      ? element.liquidities.map(({ ref, assets }) => [ref, assets.map(({ amount }) => amount)])
      : [],
  );
