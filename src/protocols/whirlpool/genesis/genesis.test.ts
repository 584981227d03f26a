import { getGenesisPools } from '../../../protocol/genesis/venue-genesis.ts';
import { whirlpoolGenesis } from './genesis.ts';
import { describe, expect, it } from 'vitest';
import {
  changeLiquidity,
  closePosition,
  collectFees,
} from '../../../../programs/whirlpool/tests/instructions.ts';
import {
  deriveTokenAccountAddress,
  GenesisNetwork,
  getTokenByMint,
} from '../../../testing/svm/genesis-network.ts';
import type { Account } from '../../../chain/accounts.ts';
import { deriveTickArrayAddress } from '../program/addresses.ts';
import { whirlpool } from '../venue.ts';
import { swapV2 } from '../venue/instructions.ts';
import { decodePosition } from '../program/layout.ts';
import type { WhirlpoolPool } from '../venue/pool.ts';
import { decodeTickArray, computeTickArrayStart } from '../program/tick-array.ts';
import { computeTickAtSqrtPrice } from '../program/tick-math.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { computeAtomsWorth } from '../../../protocol/genesis/prices.ts';
import type { GenesisWhirlpool } from './genesis.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';

describe('genesis whirlpools', () => {
  it('stand where mainnet has them', () => {
    const addresses = getGenesisPools(genesis, whirlpoolGenesis).map(({ address }) => address);
    expect(addresses).toContain('Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE');
    expect(addresses).toContain('HJPjoWUrhoZzkNfRpHuieeFk9WcZWjwy6PBjZ81ngndJ');
  });

  it('sell 250,000 JupUSD for USDC, and buy them, for less than four basis points', () => {
    const [jupUsd, usdc] = [getGenesisToken('JupUSD').mint, getGenesisToken('USDC').mint];
    const pool = getGenesisPools(genesis, whirlpoolGenesis).find(({ mints }) => mints.includes(jupUsd));
    if (pool === undefined) throw new Error('the genesis has no pool of JupUSD');
    const amount = 250_000_000_000n;
    for (const input of [jupUsd, usdc]) {
      const quote = whirlpool.quoteExactIn(decodeWhirlpoolState(pool), input, amount, clock);
      expect(((quote?.outAmount ?? 0n) * 10_000n) / amount).toBeGreaterThanOrEqual(9_996n);
    }
  });

  it.each(named)('have the liquidity and ticks of their positions: $name', ({ pool }) => {
    const { liquidity, tick, sqrtPrice } = decodeWhirlpoolState(pool);
    expect(computeTickAtSqrtPrice(sqrtPrice)).toBe(tick);
    const inRange = pool.positions.filter(
      ({ lowerTick, upperTick }) => lowerTick <= tick && tick < upperTick,
    );
    expect(inRange.reduce((sum, each) => sum + each.liquidity, 0n)).toBe(liquidity);
    const expected = new Map<number, readonly [bigint, bigint]>();
    for (const { lowerTick, upperTick, liquidity: own } of pool.positions) {
      for (const [index, net] of [
        [lowerTick, own],
        [upperTick, -own],
      ] as const) {
        const [sum, gross] = expected.get(index) ?? [0n, 0n];
        expected.set(index, [sum + net, gross + own]);
      }
    }
    const written = listPositionArrays(pool)
      .flatMap(({ data }) => decodeTickArray(data, pool.tickSpacing).ticks)
      .map(({ index, liquidityNet, liquidityGross }) => [index, [liquidityNet, liquidityGross]]);
    expect(new Map(written as [number, [bigint, bigint]][])).toEqual(expected);
  });

  it.each(named)('have positions whose tokens their maker or the demo wallet holds: $name', ({ pool }) => {
    const { poolCreator, demoWallets } = genesis.keys;
    const owners = [poolCreator, ...demoWallets.slice(0, 1)].map(({ address }) => address);
    for (const { address, mint, liquidity } of pool.positions) {
      const position = decodePosition(network.account(address)?.data ?? new Uint8Array(0));
      expect(position).toMatchObject({ whirlpool: pool.address, mint, liquidity });
      const accounts = owners
        .map((owner) => deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM))
        .filter((account) => network.account(account) !== null);
      const held = accounts.map((account) => network.tokenBalance(account)).filter((amount) => amount > 0n);
      expect(held).toEqual([1n]);
    }
  });

  it.each(named)('swap for the demo wallet, as quoted, both ways: $name', ({ pool }) => {
    for (const [input, output] of [pool.mints, [...pool.mints].reverse()] as [Address, Address][]) {
      for (const usd of [1n, 20n]) {
        const state = decodeWhirlpoolState(pool);
        const amount = computeAtomsWorth(usd, getTokenByMint(input));
        on.fund(alice, getTokenByMint(input), amount);
        const [source, destination] = [
          deriveTokenAccountAddress(alice, getTokenByMint(input)),
          deriveTokenAccountAddress(alice, getTokenByMint(output)),
        ];
        const before = [network.tokenBalance(source), network.tokenBalance(destination)] as const;
        const quote = whirlpool.quoteExactIn(state, input, amount, clock);
        if (quote === null) throw new Error('no quote');
        const args = { amount, otherAmountThreshold: quote.outAmount, sqrtPriceLimit: 0n, exactIn: true };
        const outcome = on.send(
          [swapV2(state, input, { authority: alice, source, destination }, args)],
          alice,
        );
        expect(outcome.error, outcome.logs.join('\n')).toBeNull();
        expect(before[0] - network.tokenBalance(source)).toBe(amount);
        expect(network.tokenBalance(destination) - before[1]).toBe(quote.outAmount);
      }
    }
  });

  it('have one whose fee follows volatility', () => {
    const adaptive = getGenesisPools(genesis, whirlpoolGenesis).filter(
      (pool) => decodeWhirlpoolState(pool).oracle !== null,
    );
    expect(adaptive.map(({ mints }) => mints.map((mint) => getTokenByMint(mint).symbol).sort())).toEqual([
      ['SOL', 'WIF'],
    ]);
  });

  it('have tick arrays of both forms', () => {
    const dynamic = getGenesisPools(genesis, whirlpoolGenesis).filter((pool) =>
      listPositionArrays(pool).every(({ data }) => data.length < 9988),
    );
    const fixed = getGenesisPools(genesis, whirlpoolGenesis).filter((pool) =>
      listPositionArrays(pool).every(({ data }) => data.length === 9988),
    );
    expect(dynamic.map(({ mints }) => mints.map((mint) => getTokenByMint(mint).symbol).sort())).toEqual([
      ['BONK', 'SOL'],
    ]);
    expect(fixed.length + dynamic.length).toBe(getGenesisPools(genesis, whirlpoolGenesis).length);
  });

  it.each(named)('price as the genesis does, to within a percent: $name', ({ pool }) => {
    const [a, b] = pool.mints;
    const quote = whirlpool.quoteExactIn(
      decodeWhirlpoolState(pool),
      a,
      computeAtomsWorth(1n, getTokenByMint(a)),
      clock,
    );
    const fair = computeAtomsWorth(1n, getTokenByMint(b));
    const ratio = Number(quote?.outAmount ?? 0n) / Number(fair);
    // A transfer fee and the pool's own fee come off.
    expect(ratio).toBeGreaterThan(
      getTokenByMint(a).symbol === 'BERN' || getTokenByMint(b).symbol === 'BERN' ? 0.9 : 0.99,
    );
    expect(ratio).toBeLessThan(1.001);
  });

  it('give a maker all back, with the rent of ticks in arrays of the dynamic form', () => {
    const pool = getGenesisPools(genesis, whirlpoolGenesis).find((each) =>
      listPositionArrays(each).every(({ data }) => data.length < 9988),
    );
    if (pool === undefined) throw new Error('no pool has dynamic arrays');
    const owner = genesis.keys.poolCreator.address;
    const [a, b] = pool.mints;
    const user = [
      deriveTokenAccountAddress(owner, getTokenByMint(a)),
      deriveTokenAccountAddress(owner, getTokenByMint(b)),
    ] as const;
    const plain = (mint: Address) => ({ mint, tokenProgram: TOKEN_PROGRAM, decimals: 0, extensions: [] });
    const own = {
      address: pool.address,
      bump: 0,
      tokens: [plain(a), plain(b)],
      vaults: pool.vaults,
    } as const;
    for (const mint of pool.mints) on.fund(owner, getTokenByMint(mint), 1n);
    for (const { address: position, mint, lowerTick, upperTick, liquidity } of pool.positions) {
      const token = deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
      const held = { position, mint, token, owner };
      const startOf = (tick: number) => computeTickArrayStart(tick, pool.tickSpacing);
      const arrays = [startOf(lowerTick), startOf(upperTick)] as const;
      const accounts = { pool: own, position: held, user, arrays };
      const outcome = on.send(
        [
          changeLiquidity('decrease', accounts, liquidity, [0n, 0n]),
          collectFees(accounts),
          closePosition(held, owner),
        ],
        owner,
      );
      expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    }
    for (const { data, lamports } of listPositionArrays(pool)) {
      expect(data.length).toBe(148);
      expect(lamports).toBe(network.svm.minimumBalanceForRentExemption(148n));
    }
  });
});

const on = new GenesisNetwork(['whirlpool']);
const { genesis, network, alice } = on;
const clock = { slot: 1n, epoch: 0n, unixTimestamp: network.svm.getClock().unixTimestamp };

const named = getGenesisPools(genesis, whirlpoolGenesis).map((pool) => ({
  pool,
  name: `${pool.mints.map((mint) => getTokenByMint(mint).symbol).join('/')} of spacing ${pool.tickSpacing}`,
}));

function decodeWhirlpoolState({ address }: GenesisWhirlpool): WhirlpoolPool {
  const state = whirlpool.decode(address, (at) => network.account(at));
  if ('unusable' in state) throw new Error(`${address}: ${state.unusable}`);
  return state;
}

/** The arrays in which the pool's positions end. */
function listPositionArrays({ address, tickSpacing, positions }: GenesisWhirlpool): Account[] {
  const ends = positions.flatMap(({ lowerTick, upperTick }) => [lowerTick, upperTick]);
  const starts = new Set(ends.map((tick) => computeTickArrayStart(tick, tickSpacing)));
  return [...starts].map((start) => {
    const account = network.account(deriveTickArrayAddress(address, start));
    if (account === null) throw new Error(`${address} has no array from ${start}`);
    return account;
  });
}
