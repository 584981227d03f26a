import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain/chain.ts';
import { DbcTokenType } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import { deriveMetadataAddress } from '../../solana/programs/token-metadata/program.ts';
import { LAUNCH_CREATOR, LaunchWorld } from '../../testing/launches/test-launches.ts';
import { numbered } from '../../testing/test-tokens.ts';

const [MINT, OTHER, FAMOUS, STRANGER] = [numbered(1), numbered(2), numbered(3), numbered(4)];

describe('LaunchCreators', () => {
  it('names who signed a launch, whoever its rights were handed to', async () => {
    const { world, config } = openWorld();
    launch(world, config, MINT);
    world.put({ config, mint: MINT }, { creator: FAMOUS });
    const index = await world.openIndex();
    expect(index.creatorOf(MINT)).toBeNull();
    await world.pass();
    expect([index.creatorOf(MINT), index.creatorOf(OTHER)]).toEqual([LAUNCH_CREATOR, null]);
    expect([index.countOf(LAUNCH_CREATOR), index.countOf(FAMOUS)]).toEqual([1, 0]);
    await index.close();
  });

  it('reads the transaction of a launch once', async () => {
    const { world, config } = openWorld();
    launch(world, config, MINT);
    const index = await world.openIndex();
    for (let times = 0; times < 3; times++) {
      index.creatorOf(MINT);
      await world.pass();
    }
    expect(world.transactionReads).toBe(1);
    await index.close();
  });

  it('looks for the creators of all launches on the own network, and elsewhere of those that are asked for', async () => {
    const { world, config } = openWorld();
    for (const mint of [MINT, OTHER]) launch(world, config, mint);
    const own = await world.openIndex({ isOwnNetwork: true });
    await world.pass();
    expect(own.countOf(LAUNCH_CREATOR)).toBe(2);
    await own.close();
    const outside = await world.openIndex();
    await world.pass();
    expect(outside.countOf(LAUNCH_CREATOR)).toBe(0);
    await outside.close();
  });

  it('is not misled by transactions that name the address before, nor by launches of other pools', async () => {
    const { world, config } = openWorld();
    const other = world.keysOf(config, OTHER).pool;
    const address = deriveMetadataAddress(MINT);
    for (let times = 0; times < 8; times++) world.record(other, address, STRANGER);
    launch(world, config, MINT);
    const index = await world.openIndex({ isOwnNetwork: true });
    await world.pass();
    expect([index.creatorOf(MINT), world.transactionReads]).toEqual([LAUNCH_CREATOR, 9]);
    await index.close();
  });

  it('finds the launch of a token of Token-2022 by its pool', async () => {
    const { world, config } = openWorld();
    const pool = world.put({ config, mint: MINT }, { poolType: DbcTokenType.TOKEN_2022 });
    world.record(pool, pool, LAUNCH_CREATOR);
    const index = await world.openIndex({ isOwnNetwork: true });
    expect(index.creatorOf(MINT)).toBe(LAUNCH_CREATOR);
    await index.close();
  });

  it('names nobody if the launch is not found, and asks no more after five tries', async () => {
    const { world, config } = openWorld();
    world.put({ config, mint: MINT });
    const index = await world.openIndex();
    for (let times = 0; times < 10; times++) {
      expect(index.creatorOf(MINT)).toBeNull();
      await world.pass();
    }
    launch(world, config, MINT);
    index.creatorOf(MINT);
    await world.pass(2);
    expect([index.creatorOf(MINT), world.transactionReads]).toEqual([null, 0]);
    await index.close();
  });

  it('names nobody where nodes keep no history, and says nothing of an outage', async () => {
    const { world, config } = openWorld();
    launch(world, config, MINT);
    const index = await world.openIndex();
    index.creatorOf(MINT);
    world.failure = new ChainUnavailable('no history', 'refused');
    await world.pass(3);
    expect([index.creatorOf(MINT), world.outages.every((each) => each === null)]).toEqual([null, true]);
    await index.close();
  });

  it('goes on after an outage', async () => {
    const { world, config } = openWorld();
    launch(world, config, MINT);
    const index = await world.openIndex();
    index.creatorOf(MINT);
    world.failure = new ChainUnavailable('no answer');
    await world.pass(20);
    expect(world.outages.at(-1)).toBe(world.failure);
    world.failure = null;
    await world.pass();
    expect(index.creatorOf(MINT)).toBe(LAUNCH_CREATOR);
    await index.close();
  });

  it('knows the creators of the genesis, which no transaction has launched', async () => {
    const { world, config } = openWorld();
    world.genesisCreators.set(world.put({ config, mint: MINT }), STRANGER);
    const index = await world.openIndex();
    expect([index.creatorOf(MINT), index.countOf(STRANGER)]).toEqual([STRANGER, 1]);
    await index.close();
  });

  it('counts a launch no more that is gone', async () => {
    const { world, config } = openWorld();
    const pool = launch(world, config, MINT);
    const index = await world.openIndex({ isOwnNetwork: true });
    expect(index.countOf(LAUNCH_CREATOR)).toBe(1);
    world.tell({ address: pool, account: null });
    expect([index.countOf(LAUNCH_CREATOR), index.creatorOf(MINT)]).toEqual([0, null]);
    await index.close();
  });
});

function openWorld() {
  const world = new LaunchWorld();
  return { world, config: world.addConfig(100) };
}

/** Writes a launch with its transaction, and returns its pool. */
function launch(world: LaunchWorld, config: Address, mint: Address): Address {
  const pool = world.put({ config, mint });
  world.record(pool, deriveMetadataAddress(mint), LAUNCH_CREATOR);
  return pool;
}
