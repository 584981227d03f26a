import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain/chain.ts';
import { addMigratedPool } from '../../protocols/meteora-dbc/genesis/damm-pool.ts';
import { DbcMigrationProgress } from '../../protocols/meteora-dbc/program/program.ts';
import { decodeDbcConfig } from '../../protocols/meteora-dbc/program/layout-config.ts';
import { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import {
  LAUNCH_CREATOR,
  LAUNCH_QUOTE,
  LAUNCHED_AT,
  LaunchWorld,
} from '../../testing/launches/test-launches.ts';
import { numbered } from '../../testing/test-tokens.ts';
import type { LaunchIndex } from './launch-index.ts';

const [MINT, OTHER] = [numbered(1), numbered(2)];
const COMPLETE = { migrationProgress: DbcMigrationProgress.LOCKED_VESTING };
const MIGRATED = { migrationProgress: DbcMigrationProgress.CREATED_POOL, isMigrated: 1 };

describe('LaunchIndex', () => {
  it('knows the launches that exist when it is opened, and follows them and new ones', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100, { migrationQuoteThreshold: 3_000n });
    world.put({ config, mint: MINT }, { quoteReserve: 1_000n });
    const index = await world.openIndex();
    expect(index.find(MINT)).toEqual({
      launchpad: 'met-dbc',
      pool: world.keysOf(config, MINT).pool,
      launchedAt: LAUNCHED_AT,
      config,
      creator: LAUNCH_CREATOR,
      progress: 33.3333,
      graduated: null,
    });
    expect(index.find(OTHER)).toBeNull();
    world.put({ config, mint: OTHER });
    world.put({ config, mint: MINT }, { quoteReserve: 2_000n });
    expect([index.find(OTHER)?.progress, index.find(MINT)?.progress]).toEqual([0, 66.6666]);
    world.put({ config, mint: MINT }, { quoteReserve: 3_001n });
    expect(index.find(MINT)?.progress).toBe(100);
    await index.close();
  });

  it('ignores what is older than what it knows, unless slots are rolled back', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100, { migrationQuoteThreshold: 100n });
    const address = world.put({ config, mint: MINT }, { quoteReserve: 10n });
    const old = world.accounts.get(address) ?? null;
    const index = await world.openIndex();
    world.put({ config, mint: MINT }, { quoteReserve: 20n });
    world.tell({ address, slot: 5n, account: old });
    expect(index.find(MINT)?.progress).toBe(20);
    world.tell({ address, slot: 5n, account: old, isRollback: true });
    expect(index.find(MINT)?.progress).toBe(10);
    world.tell({ address, slot: 5n, account: null, isRollback: true });
    expect([index.find(MINT), index.countOf(LAUNCH_CREATOR)]).toEqual([null, 0]);
    await index.close();
  });

  it('counts the launches of a creator, who may hand one over', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100);
    world.put({ config, mint: MINT });
    const index = await world.openIndex();
    world.put({ config, mint: OTHER });
    world.put({ config, mint: OTHER }, { quoteReserve: 1n });
    expect(index.countOf(LAUNCH_CREATOR)).toBe(2);
    world.put({ config, mint: OTHER }, { creator: numbered(77) });
    expect([index.countOf(LAUNCH_CREATOR), index.countOf(numbered(77))]).toEqual([1, 1]);
    expect(index.find(OTHER)?.creator).toBe(numbered(77));
    await index.close();
  });

  it('lists the launches that are complete and have not migrated, in the order in which they were completed', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100);
    for (const mint of [MINT, OTHER, numbered(3)]) world.put({ config, mint });
    const index = await world.openIndex();
    expect(listComplete(index)).toEqual([]);
    const other = world.put({ config, mint: OTHER }, { migrationProgress: 1 });
    const first = world.put({ config, mint: MINT }, COMPLETE);
    world.put({ config, mint: OTHER }, COMPLETE);
    expect(listComplete(index)).toEqual([other, first]);
    world.put({ config, mint: OTHER }, MIGRATED);
    expect([listComplete(index), index.completeCount]).toEqual([[first], 1]);
    await index.close();
  });

  it('names the pool that took the liquidity over, and when, as soon as the market knows it', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100);
    world.put({ config, mint: MINT }, MIGRATED);
    const index = await world.openIndex();
    expect(index.find(MINT)).toMatchObject({ progress: null, graduated: null });
    const pool = knowDammPool(world, config);
    const graduated = { pool, at: 1_700_000_123n };
    expect(index.find(MINT)?.graduated).toEqual(graduated);
    world.known.clear();
    expect(index.find(MINT)?.graduated).toEqual(graduated);
    await index.close();
  });

  it('reads a configuration once, in the background, and again while the network does not answer', async () => {
    const world = new LaunchWorld();
    const index = await world.openIndex();
    const config = world.addConfig(100, { migrationQuoteThreshold: 100n });
    world.put({ config, mint: MINT }, { quoteReserve: 50n });
    expect([index.find(MINT)?.progress, index.find(MINT)?.progress, world.reads]).toEqual([null, null, 0]);
    world.failure = new ChainUnavailable('no answer');
    await world.pass();
    expect([index.find(MINT)?.progress, world.defects]).toEqual([null, [world.failure]]);
    world.failure = null;
    await world.pass();
    await world.pass();
    expect([index.find(MINT)?.progress, world.reads]).toEqual([50, 2]);
    await index.close();
  });

  it('takes a configuration from the market if that has it', async () => {
    const world = new LaunchWorld();
    const index = await world.openIndex();
    const config = world.addConfig(100, { migrationQuoteThreshold: 100n });
    for (const [address, account] of world.accounts) world.known.set(address, account);
    world.put({ config, mint: MINT }, { quoteReserve: 50n });
    expect([index.find(MINT)?.progress, world.reads]).toEqual([50, 0]);
    await index.close();
  });
});

function listComplete(index: LaunchIndex): Address[] {
  return [...index.listComplete()].map(({ pool }) => pool);
}

/** Lets the market know the pool that a migration would have created. */
function knowDammPool(world: LaunchWorld, address: Address): Address {
  const account = world.accounts.get(address);
  if (account === undefined) throw new Error('there is no such configuration');
  const config = decodeDbcConfig(account.data);
  const ledger = new AccountLedger();
  const toMint = (mint: Address) => ({ mint, tokenProgram: TOKEN_PROGRAM, accountExtensions: [] });
  const share = { isPartner: true, unlocked: 1n, permanent: 1n };
  const pool = addMigratedPool(ledger, [toMint(MINT), toMint(LAUNCH_QUOTE)], {
    config,
    liquidity: { shares: [share, share], deposited: [1n, 1n], protocolFees: [0n, 0n] },
    owners: { partner: numbered(5), creator: numbered(6) },
    migratedAt: 1_700_000_123n,
  });
  for (const written of ledger.accounts()) world.known.set(written.address, written.account);
  return pool.address;
}
