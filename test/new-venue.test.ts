import { beforeAll, describe, expect, it, vi } from 'vitest';
import { genesisPools } from '../src/protocol/genesis/venue-genesis.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { programErrorNames } from '../src/market/program-errors.ts';
import type { Address } from '../src/solana/address.ts';
import { openTestSwap, type TestSwap } from '../src/testing/genesis-market/swap.ts';
import { NEW_VENUE_PROGRAM, newVenue, newVenueGenesis } from './new-venue/index.ts';

/** The one line in the registry; the folder is test/new-venue. */
vi.mock('../src/protocols/index.ts', async (importOriginal) => {
  const list = await importOriginal<typeof import('../src/protocols/index.ts')>();
  return { PROTOCOLS: [...list.PROTOCOLS, (await import('./new-venue/index.ts')).newProtocol] };
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const HNT = 'hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux';

let swap: TestSwap;

beforeAll(async () => {
  swap = await openTestSwap();
});

describe('a venue that is one folder and one line in the registry', () => {
  it('is registered', () => {
    expect(VENUES).toContain(newVenue);
  });

  it('has its program, its pools and their accounts in the genesis', () => {
    const { genesis } = swap.market;
    expect(genesis.programs).toContainEqual({ name: 'test-venue', address: NEW_VENUE_PROGRAM });
    const pools = genesisPools(genesis, newVenueGenesis);
    expect(pools).toHaveLength(1);
    const written = new Set(genesis.accounts.map(({ address }) => address));
    for (const { address, vaults } of pools) {
      for (const account of [address, ...vaults]) expect(written).toContain(account);
    }
  });

  it('has its program in the first lookup table and the accounts of its pool together in another', () => {
    const { genesis } = swap.market;
    const [shared, ...others] = genesis.lookupTables;
    expect(shared?.addresses).toContain(NEW_VENUE_PROGRAM);
    for (const { address, vaults } of genesisPools(genesis, newVenueGenesis)) {
      const table = others.find(({ addresses }) => addresses.includes(address));
      expect(table?.addresses).toEqual(expect.arrayContaining([...vaults]));
    }
  });

  it('has its label, which clients may name to choose venues', async () => {
    expect(swap.composed.venueLabels).toMatchObject({ [NEW_VENUE_PROGRAM]: 'New venue' });
    const other = await swap.order({
      inputMint: USDC,
      outputMint: HNT,
      amount: '10000000',
      excludeDexes: 'New venue',
    });
    expect(other.routePlan.map(({ swapInfo }) => swapInfo.label)).not.toContain('New venue');
  });

  it('has names for the error codes of its program', () => {
    const errorName = programErrorNames(PROTOCOLS);
    expect(errorName(NEW_VENUE_PROGRAM, 101)).toBe('RateMoved');
    expect(errorName(NEW_VENUE_PROGRAM, 102)).toBeNull();
  });

  it('is routed through, and pays what it quoted', async () => {
    const order = await swap.order({ inputMint: USDC, outputMint: HNT, amount: '10000000' });
    expect(order.routePlan.map(({ swapInfo }) => swapInfo.label)).toEqual(['New venue']);
    const before = swap.holding(swap.wallet.address, HNT as Address);
    const result = await swap.execute(order);
    // The taker owns the pool's vaults, so that the answer's totals, which are by owner, come to nothing.
    expect(result).toMatchObject({ status: 'Success' });
    expect(swap.holding(swap.wallet.address, HNT as Address) - before).toBe(BigInt(order.outAmount));
  });
});
