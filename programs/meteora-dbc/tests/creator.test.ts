import { describe, expect, it } from 'vitest';
import { decodeDbcEvent } from '../../../src/protocols/meteora-dbc/program/events.ts';
import { transferDbcPoolCreator } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { decodeDbcPool } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import type { Address } from '../../../src/solana/address.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { namedAddress, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { CREATOR, PARTNER } from './fixture.ts';
import { LaunchNetwork, withAccount } from './launch-network.ts';

const network = openForEach(() => new LaunchNetwork());

describe('transfer_pool_creator', () => {
  it('hands the pool to another wallet, which alone may hand it on', () => {
    const { keys } = network.launch();
    const before = decodeDbcPool(network.dataOf(keys.pool));
    const { inner } = network.done(transferDbcPoolCreator(keys, { creator: CREATOR, newCreator: HEIR }));
    expect(decodeDbcPool(network.dataOf(keys.pool))).toEqual({ ...before, creator: HEIR });
    expect(decodeDbcEvent(inner[0]?.[0]?.data ?? new Uint8Array(0))).toEqual({
      kind: 'creatorChanged',
      pool: keys.pool,
      creator: CREATOR,
      newCreator: HEIR,
    });
    const again = transferDbcPoolCreator(keys, { creator: CREATOR, newCreator: PARTNER });
    expect(network.refusalOf(again)).toBe(6053);
    writeWallet(network, HEIR);
    network.done(transferDbcPoolCreator(keys, { creator: HEIR, newCreator: CREATOR }));
  });

  it('is refused to a thief, without a signature, and to the same wallet', () => {
    const { keys } = network.launch();
    const transfer = (creator: Address, newCreator: Address) =>
      transferDbcPoolCreator(keys, { creator, newCreator });
    expect(network.refusalOf(transfer(PARTNER, HEIR))).toBe(6053);
    expect(network.refusalOf(transfer(CREATOR, CREATOR))).toBe(6036);
    expect(network.refusalOf(withAccount(transfer(CREATOR, HEIR), 2, { role: 0 }))).toBe(3010);
    expect(network.refusalOf(withAccount(transfer(CREATOR, HEIR), 0, { role: 0 }))).toBe(2000);
  });

  it('is refused with the pool or the configuration of another launch, or of nobody', () => {
    const [mine, other] = [network.launch(), network.launch({ name: 'other' })];
    const transfer = transferDbcPoolCreator(mine.keys, { creator: CREATOR, newCreator: HEIR });
    expect(network.refusalOf(withAccount(transfer, 1, { address: other.keys.config }))).toBe(2001);
    expect(network.refusalOf(withAccount(transfer, 0, { address: other.keys.config }))).toBe(3002);
    expect(network.refusalOf(withAccount(transfer, 0, { address: HEIR }))).toBe(3007);
    network.setData(mine.keys.pool, HEIR, network.dataOf(mine.keys.pool));
    expect(network.refusalOf(transfer)).toBe(3007);
  });

  it.each([
    ['before the curve is sold out', 0, null],
    ['not while it waits for the locker', 1, 6022],
    ['not while it waits for the migration', 2, 6022],
    ['after the migration', 3, null],
    ['not at an unknown stage', 4, 6006],
  ])('is possible at its time: %s', (_, migrationProgress, error) => {
    const { keys } = network.launch();
    network.changePool(keys.pool, { migrationProgress });
    const transfer = transferDbcPoolCreator(keys, { creator: CREATOR, newCreator: HEIR });
    expect(network.refusalOf(transfer)).toBe(error);
  });

  it('is left out for a pool that migrated to DAMM v1', () => {
    const { keys } = network.launch();
    network.changeConfig(keys.config, { migrationOption: 0 });
    const transfer = transferDbcPoolCreator(keys, { creator: CREATOR, newCreator: HEIR });
    expect(network.simulate([transfer]).error).toBeNull();
    network.changePool(keys.pool, { migrationProgress: 3 });
    expect(network.refusalOf(transfer)).toBe(101);
  });
});

const HEIR = namedAddress('dbc heir');
