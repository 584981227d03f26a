import { beforeEach, describe, expect, it } from 'vitest';
import { getGenesisPools } from '../src/protocol/genesis/venue-genesis.ts';
import { meteoraDammV2Genesis } from '../src/protocols/meteora-damm-v2/genesis/genesis.ts';
import { meteoraDbcVenueGenesis } from '../src/protocols/meteora-dbc/genesis/genesis.ts';
import { deriveDammPositionTokenAddress } from '../src/protocols/meteora-damm-v2/program/addresses.ts';
import { meteoraDammV2Positions } from '../src/protocols/meteora-damm-v2/positions/fetcher.ts';
import { raydiumCpmmGenesis } from '../src/protocols/raydium-cpmm/genesis/genesis.ts';
import { withdraw as withdrawCpmm } from '../src/protocols/raydium-cpmm/program/instructions.ts';
import { decodePool } from '../src/protocols/raydium-cpmm/program/layout.ts';
import { raydiumCpmmPositions } from '../src/protocols/raydium-cpmm/positions.ts';
import { saberGenesis } from '../src/protocols/saber/genesis.ts';
import { withdraw as withdrawSaber } from '../src/protocols/saber/instructions.ts';
import { saberPositions } from '../src/protocols/saber/positions.ts';
import { tokenProgramOf } from '../src/protocol/genesis/mints.ts';
import { findTokenByMint } from '../src/solana/known-tokens.ts';
import type { LiquidityPosition } from '../src/protocol/positions/element.ts';
import type { Address } from '../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { removeAllLiquidity } from '../programs/meteora-damm-v2/tests/instructions.ts';
import { GenesisNetwork } from '../src/testing/svm/genesis-network.ts';
import { collectAmounts, fetchPositions, collectLiquidities } from '../src/testing/svm/positions.ts';
import { openForEach } from '../src/testing/opened.ts';

// What a position is shown to hold is what its program pays for all of it, to the atom, before transfer fees.

let creator: Address;
const world = openForEach(() => new GenesisNetwork(['raydium-cpmm', 'saber', 'meteora-damm-v2']));
beforeEach(setUp);

describe('raydiumCpmmPositions', () => {
  it('shows what withdrawing all LP tokens pays, in every pool of the genesis', async () => {
    const pools = getGenesisPools(world.genesis, raydiumCpmmGenesis);
    const { elements } = await fetchPositions(world.network, creator, raydiumCpmmPositions);
    const liquidities = collectLiquidities(elements);
    expect(liquidities).toHaveLength(pools.length);
    const plain = pools.filter(({ mints }) =>
      mints.every((mint) => findTokenByMint(mint)?.program === 'token'),
    );
    for (const pool of plain) {
      const shown = of(liquidities, pool.address);
      const tokens = accountsOf(pool.mints);
      const lpToken = deriveAssociatedTokenAddress(creator, pool.lpMint, TOKEN_PROGRAM);
      const lpAmount = world.network.tokenBalance(lpToken);
      expect(shown.lp).toEqual({ mint: pool.lpMint, amount: lpAmount });
      const received = receivedBy(tokens, () => {
        const outcome = world.send(
          [withdrawCpmm(pool, { owner: creator, tokens, lpToken }, lpAmount, [0n, 0n])],
          creator,
        );
        expect(outcome.error, outcome.logs.join('\n')).toBeNull();
      });
      expect(collectAmounts(shown.assets)).toEqual(received);
    }
  });

  it('leaves no more in a pool than the shares that were never issued, and an atom for rounding', async () => {
    const { elements } = await fetchPositions(world.network, creator, raydiumCpmmPositions);
    for (const liquidity of collectLiquidities(elements)) {
      const address = liquidity.ref as Address;
      const pool = decodePool(world.network.account(address)?.data ?? new Uint8Array(0));
      const others = pool.lpSupply - (liquidity.lp?.amount ?? 0n);
      for (const side of [0, 1] as const) {
        const reserve = world.network.tokenBalance(pool.vaults[side]);
        const left = reserve - (collectAmounts(liquidity.assets)[side] ?? 0n);
        expect(left).toBeLessThanOrEqual((reserve * others) / pool.lpSupply + 1n);
      }
    }
  });
});

describe('saberPositions', () => {
  it('shows what withdrawing all LP tokens pays', async () => {
    const [pool] = getGenesisPools(world.genesis, saberGenesis);
    if (pool === undefined) throw new Error('the genesis has no stable pool');
    const { elements } = await fetchPositions(world.network, creator, saberPositions);
    const shown = of(collectLiquidities(elements), pool.address);
    const tokens = accountsOf(pool.mints);
    const lpToken = deriveAssociatedTokenAddress(creator, pool.lpMint, TOKEN_PROGRAM);
    const lpAmount = world.network.tokenBalance(lpToken);
    const received = receivedBy(tokens, () => {
      const outcome = world.send(
        [withdrawSaber(pool, { owner: creator, tokens, lpToken }, lpAmount, [0n, 0n])],
        creator,
      );
      expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    });
    expect(collectAmounts(shown.assets)).toEqual(received);
  });
});

describe('meteoraDammV2Positions', () => {
  it('shows what removing all liquidity pays, in every pool of the genesis that its maker has', async () => {
    const made = getGenesisPools(world.genesis, meteoraDammV2Genesis);
    // The demo wallet was given the position in one of them.
    const pools = made.filter(
      ({ positionMint }) => world.network.tokenBalance(deriveDammPositionTokenAddress(positionMint)) === 1n,
    );
    expect(pools).toHaveLength(made.length - 1);
    const { elements, unreadable } = await fetchPositions(world.network, creator, meteoraDammV2Positions);
    expect(unreadable).toEqual([]);
    const liquidities = collectLiquidities(elements);
    // It has launched tokens, too, and has a position in each pool that one of them has migrated to.
    const launches = getGenesisPools(world.genesis, meteoraDbcVenueGenesis);
    const migrated = launches.flatMap((launch) => launch.migrated ?? []);
    expect(liquidities).toHaveLength(pools.length + migrated.length);
    for (const pool of pools) {
      const tokenPrograms = pool.mints.map((mint) => world.network.account(mint)?.owner) as [
        Address,
        Address,
      ];
      if (tokenPrograms.some((program) => program !== TOKEN_PROGRAM)) continue;
      const shown = liquidities.find(({ sourceRefs }) => sourceRefs?.[0]?.address === pool.address);
      const tokens = accountsOf(pool.mints);
      const parties = { owner: creator, tokens, positionMint: pool.positionMint };
      const received = receivedBy(tokens, () => {
        const outcome = world.send(
          [removeAllLiquidity({ ...pool, tokenPrograms }, parties, [0n, 0n])],
          creator,
        );
        expect(outcome.error, outcome.logs.join('\n')).toBeNull();
      });
      expect(collectAmounts(shown?.assets ?? [])).toEqual(received);
    }
  });
});

function setUp(): void {
  creator = world.genesis.keys.poolCreator.address;
}

function accountsOf(mints: readonly Address[]): [Address, Address] {
  return mints.map((mint) => {
    const token = findTokenByMint(mint);
    if (token === null) throw new Error(`${mint} is no token of the genesis`);
    world.fund(creator, token, 1n);
    return deriveAssociatedTokenAddress(creator, mint, tokenProgramOf(token));
  }) as [Address, Address];
}

/** What arrives in the accounts and what the mints withhold of it. */
function receivedBy(accounts: readonly Address[], run: () => void): bigint[] {
  const held = () => accounts.map((account) => world.network.tokenBalance(account));
  const before = held();
  run();
  return held().map((after, side) => after - (before[side] ?? 0n));
}

function of(liquidities: readonly LiquidityPosition[], ref: Address): LiquidityPosition {
  const found = liquidities.find((each) => each.ref === ref);
  if (found === undefined) throw new Error(`no position ${ref}`);
  return found;
}
