import { getGenesisPools } from '../protocol/genesis/venue-genesis.ts';
import { splStakePoolGenesis } from '../protocols/spl-stake-pool/genesis.ts';
import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../testing/genesis-market/open.ts';
import { address } from '../solana/address.ts';
import { findRoutes, type Route } from './router/index.ts';
import { saber } from '../protocols/saber/venue.ts';
import { splStakePool } from '../protocols/spl-stake-pool/venue.ts';
import type { SplStakePool } from '../protocols/spl-stake-pool/pool.ts';
import { openForEach } from '../testing/opened.ts';

const market = openForEach(() => openTestMarket('without programs'));

describe('routes between pegged assets', () => {
  it('lead through the stake pool at one rate for all sizes', () => {
    const small = best(SOL, JITOSOL, 1_000_000_000n);
    const large = best(SOL, JITOSOL, 10_000_000_000_000n);
    for (const route of [small, large]) expect(labels(route)).toContain(splStakePool.label);
    const rate = ({ inAmount, outAmount }: Route) => Number(outAmount) / Number(inAmount);
    expect(Math.abs(rate(large) / rate(small) - 1)).toBeLessThan(1e-3);
  });

  it('lead around a stake pool whose epoch is over', () => {
    market.network.setEpoch(1n);
    const route = best(SOL, JITOSOL, 10_000_000_000n);
    expect(labels(route)).not.toContain(splStakePool.label);
    expect(labels(route).length).toBeGreaterThan(0);
  });

  it('take no more out of a stake pool than its reserve holds', () => {
    const { withdrawable, tokenSupply, totalLamports } = stakePool();
    const tokens = (withdrawable * 3n * tokenSupply) / (totalLamports * 2n);
    expect(splStakePool.quoteExactIn(stakePool(), JITOSOL, tokens, market.chain.clock())).toBeNull();
    const estimated = splStakePool.estimate(stakePool(), JITOSOL, Number(tokens), market.chain.clock());
    expect(estimated).toBeLessThan(Number(withdrawable));
    expect(best(JITOSOL, SOL, tokens).outAmount).toBeGreaterThan(0n);
  });

  it('lead through the stable pool where it is the deepest at the price', () => {
    const amount = 5_000_000_000_000n;
    const route = best(USDC, USDT, amount);
    expect(labels(route)).toContain(saber.label);
    expect(route.outAmount).toBeGreaterThan((amount * 9995n) / 10_000n);
  });

  it('price staked SOL by the pool, however much goes through it', () => {
    const { prices } = market;
    const [sol, staked] = [prices.dollarsPerAtom(SOL) ?? 0, prices.dollarsPerAtom(JITOSOL) ?? 0];
    const { totalLamports, tokenSupply } = stakePool();
    expect(Math.abs(staked / sol / (Number(totalLamports) / Number(tokenSupply)) - 1)).toBeLessThan(2e-3);
  });
});

const SOL = address('So11111111111111111111111111111111111111112');
const JITOSOL = address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const USDT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');

function best(inputMint: typeof SOL, outputMint: typeof SOL, amount: bigint): Route {
  const wanted = { inputMint, outputMint, amount, clock: market.chain.clock(), allows: () => true };
  const [route] = findRoutes(market.pools, { ...wanted, maxHops: 3, maxPaths: 5, onlyHubs: false });
  if (route === undefined) throw new Error('no route');
  return route;
}

const labels = ({ legs }: Route): readonly string[] => legs.map(({ handle: { venue } }) => venue.label);

function stakePool(): SplStakePool {
  const [pool] = getGenesisPools(market.genesis, splStakePoolGenesis);
  const found = pool === undefined ? null : market.pools.find(pool.address);
  if (found === null) throw new Error('no stake pool');
  return found.pool as SplStakePool;
}
