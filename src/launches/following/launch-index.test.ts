import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain/chain.ts';
import { addMigratedPool } from '../../protocols/meteora-dbc/genesis/damm-pool.ts';
import { DbcMigrationOption, DbcMigrationProgress } from '../../protocols/meteora-dbc/program/program.ts';
import { decodeDbcConfig } from '../../protocols/meteora-dbc/program/layout-config.ts';
import { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { LAUNCH_QUOTE, LAUNCHED_AT, LaunchWorld } from '../../testing/launches/test-launches.ts';
import { numbered } from '../../testing/test-tokens.ts';
import type { LaunchIndex } from './launch-index.ts';

const [MINT, OTHER, UNPAID] = [numbered(1), numbered(2), numbered(3)];
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
    expect(index.find(MINT)).toBeNull();
    await index.close();
  });

  it('lists the launches that are complete and paid for, in the order in which they were completed', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100);
    for (const mint of [MINT, OTHER, UNPAID]) world.put({ config, mint });
    const asked: Address[] = [];
    const paysFor = ({ mint }: { readonly mint: Address }) => {
      asked.push(mint);
      return mint !== UNPAID;
    };
    const index = await world.openIndex({ paysFor });
    expect([listPaid(index), asked]).toEqual([[], []]);
    const other = world.put({ config, mint: OTHER }, { migrationProgress: 1 });
    const first = world.put({ config, mint: MINT }, COMPLETE);
    world.put({ config, mint: UNPAID }, COMPLETE);
    world.put({ config, mint: OTHER }, COMPLETE);
    expect(listPaid(index)).toEqual([other, first]);
    expect(asked).toEqual([OTHER, MINT, UNPAID]);
    world.put({ config, mint: OTHER }, MIGRATED);
    expect([listPaid(index), index.paidCount]).toEqual([[first], 1]);
    await index.close();
  });

  it('says what a complete launch has raised, and lists it no more once it is left', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100);
    const pool = world.put({ config, mint: MINT }, { ...COMPLETE, quoteReserve: 7n });
    const index = await world.openIndex();
    expect([...index.listPaid()]).toEqual([
      { pool, config, mint: MINT, quoteReserve: 7n, quoteMint: LAUNCH_QUOTE },
    ]);
    index.leave(pool);
    expect([listPaid(index), index.find(MINT)?.pool]).toEqual([[], pool]);
    world.put({ config, mint: MINT }, { ...COMPLETE, quoteReserve: 8n });
    expect(index.paidCount).toBe(0);
    await index.close();
  });

  it('keeps so many launches of each stage, and drops the ones that were there longest', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100);
    const index = await world.openIndex({ maxPerStage: 2 });
    const sold = { quoteReserve: 1n };
    for (const mint of [MINT, OTHER]) world.put({ config, mint }, sold);
    world.put({ config, mint: MINT }, { quoteReserve: 2n });
    world.put({ config, mint: UNPAID }, sold);
    for (const number of [11, 12, 13]) world.put({ config, mint: numbered(number) });
    expect([MINT, OTHER, UNPAID].map((mint) => index.find(mint) !== null)).toEqual([true, false, true]);
    expect([11, 12, 13].map((number) => index.find(numbered(number)) !== null)).toEqual([false, true, true]);
    expect(world.metrics.read('sluice_launches_known')).toMatchObject({ unsold: 2, sells: 2, paid: 0 });
    expect(world.metrics.read('sluice_launches_dropped')).toMatchObject({ unsold: 1, sells: 1, paid: 0 });
    await index.close();
  });

  it('opens while the network does not answer, and reads all launches as soon as it does', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100);
    world.put({ config, mint: MINT });
    world.failure = new ChainUnavailable('no answer');
    const index = await world.openIndex();
    expect([index.find(MINT), world.outages]).toEqual([null, [world.failure]]);
    expect(index.unhealthy()).toMatch(/could not be read/);
    world.put({ config, mint: OTHER });
    expect(index.find(OTHER)).not.toBeNull();
    world.failure = null;
    await world.pass(10);
    expect([index.find(MINT)?.pool, index.unhealthy()]).toEqual([world.keysOf(config, MINT).pool, null]);
    expect(world.outages.at(-1)).toBeNull();
    await index.close();
  });

  it('derives no address for a launch that migrated to DAMM v1', async () => {
    const world = new LaunchWorld();
    const config = world.addConfig(100, { migrationOption: DbcMigrationOption.DAMM_V1 });
    world.put({ config, mint: MINT }, MIGRATED);
    knowDammPool(world, config);
    const index = await world.openIndex();
    expect(index.find(MINT)).toMatchObject({ progress: null, graduated: null });
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
    expect([index.find(MINT)?.progress, world.outages.at(-1)]).toEqual([null, world.failure]);
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

function listPaid(index: LaunchIndex): Address[] {
  return [...index.listPaid()].map(({ pool }) => pool);
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
