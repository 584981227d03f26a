import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PoolViews } from '../../../market/pool-views/pool-views.ts';
import { VENUES } from '../../../protocols/venues.ts';
import { type Address, address } from '../../../solana/address.ts';
import { findTokenByMint } from '../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { createFixturePortal } from '../../../testing/gateway/portal-fixture.ts';
import { closeGateways, createSampleGateway, KEY } from '../../../testing/gateway/sample-gateway.ts';
import { type GenesisTestMarket, openTestMarket } from '../../../testing/genesis-market/open.ts';
import type { PoolJson, PoolRowJson } from './pool-json.ts';

describe('GET /portal/data/pools', () => {
  it('lists pools with their tokens, liquidity, price and fee, those with most in them first', async () => {
    const { pools, total, venues } = await list('?limit=200');
    expect(pools.length).toBe(total);
    expect(venues).toEqual(VENUES.map(({ label }) => label));
    const worths = pools.map(({ liquidity }) => liquidity ?? -1);
    expect(worths).toEqual([...worths].sort((one, other) => other - one));
    expect(pools.find((row) => row.address === pool)).toMatchObject({
      venue: 'Raydium CP',
      pair: [
        { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, isVerified: true },
        { mint: USDC, symbol: 'USDC', decimals: 6, isVerified: true },
      ],
      price: expect.closeTo(200, 6),
      fee: expect.closeTo(0.0025, 6),
      change: null,
      unusable: null,
    });
  });

  it('goes through the list page by page', async () => {
    const first = await list('?limit=5&query=sol%20usdc');
    const second = await list(`?limit=5&query=sol%20usdc&cursor=${first.cursor}`);
    expect([first.pools.length, first.cursor]).toEqual([5, '5']);
    const addresses = [...first.pools, ...second.pools].map((row) => row.address);
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(await list('?cursor=999999999')).toMatchObject({ pools: [], cursor: null });
  });

  it('filters by token and by venue', async () => {
    const { pools } = await list(`?mint=${USDC}&venue=Whirlpool&limit=200`);
    expect(pools.length).toBeGreaterThan(0);
    for (const { venue, pair } of pools) {
      expect(venue).toBe('Whirlpool');
      expect(pair?.map(({ mint }) => mint)).toContain(USDC);
    }
    expect((await list('?venue=__proto__')).total).toBe(0);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=1e2', 'limit'],
    ['cursor=-1', 'cursor'],
    ['cursor=9999999999', 'cursor'],
    ['cursor=1.5', 'cursor'],
    ['mint=0x00', 'mint'],
    [`mint=${'1'.repeat(45)}`, 'mint'],
    [`venue=${'v'.repeat(65)}`, 'venue'],
    [`query=${'q'.repeat(101)}`, 'query'],
    ['query=%00', 'query'],
    ['query=a&query=b', 'query'],
  ])('refuses ?%s', async (query, name) => {
    const { statusCode, body } = await inject(`?${query}`);
    expect([statusCode, body]).toEqual([400, expect.stringContaining(name)]);
  });

  it('is for pages of this server', async () => {
    expect((await inject('', { origin: 'https://evil.example' })).statusCode).toBe(403);
  });
});

describe('GET /portal/data/pools/{address}', () => {
  it('says what a pool holds, and quotes it for growing amounts in both directions', async () => {
    const shown = await show(pool);
    expect(shown).toMatchObject({
      address: pool,
      reserves: ['50000000000000', '10000000000000'],
      vaults: [expect.any(String), expect.any(String)],
      feedPrice: expect.closeTo(210, 6),
      isShortLived: false,
    });
    const [selling, buying] = getDepth(shown).curves;
    expect([selling.inputMint, buying.inputMint]).toEqual([WRAPPED_SOL_MINT, USDC]);
    expect(selling.marginalPrice).toBeCloseTo(199.5, 3);
    expect(buying.marginalPrice).toBeCloseTo(0.0049875, 6);
    const handle = market.pools.find(address(pool));
    for (const { inAmount, outAmount, price, impact } of selling.points) {
      const clock = market.chain.clock();
      const quote = handle?.venue.quoteExactIn(handle.pool, WRAPPED_SOL_MINT, BigInt(inAmount), clock);
      expect(quote?.outAmount.toString()).toBe(outAmount);
      expect(price).toBeCloseTo(Number(outAmount) / Number(inAmount) / 1e-3, 6);
      expect(impact).toBeCloseTo(1 - price / selling.marginalPrice, 9);
    }
  });

  it('follows a change of the pool, and says in which slot it was', async () => {
    const before = await show(pool);
    expect(await show(pool)).toEqual(before);
    const [, vault] = getVaults(before);
    double(vault);
    const after = await show(pool);
    expect(after.price).toBeCloseTo(400, 6);
    expect(after.change).toEqual({ slot: expect.any(String), at: NOW });
    expect(getDepth(after).revision).toBeGreaterThan(getDepth(before).revision);
  });

  it('says why routes cannot use a pool', async () => {
    const [whirlpool] = (await list('?venue=Whirlpool&limit=1')).pools;
    if (whirlpool === undefined) throw new Error('no pool of the venue');
    const [vault] = getVaults(await show(whirlpool.address));
    const saved = market.network.account(vault);
    if (saved === null) throw new Error('no vault');
    market.network.setAccount(vault, { ...saved, lamports: 0n, data: new Uint8Array(0) });
    market.chain.publish([vault]);
    now += 10_000;
    const row = { address: whirlpool.address, pair: null, unusable: expect.stringContaining('vault') };
    expect(await show(whirlpool.address)).toMatchObject({ ...row, depth: null, reserves: null });
    expect((await list(`?query=${whirlpool.address}`)).pools).toMatchObject([row]);
    expect((await list('?limit=200')).pools.at(-1)).toMatchObject(row);
  });

  it('tells an address without a pool from a text that is no address', async () => {
    expect((await inject(`/${USDC}`)).statusCode).toBe(404);
    for (const text of ['abc', '..%2f..', '%00', 'l'.repeat(44), '1'.repeat(45)])
      expect((await inject(`/${text}`)).statusCode, text).toBe(400);
  });
});

describe('GET /portal/data/pools/{address}/quote', () => {
  it('quotes one swap through the pool alone', async () => {
    const handle = market.pools.find(address(pool));
    const quote = handle?.venue.quoteExactIn(handle.pool, USDC, 123_456_789n, market.chain.clock());
    expect(await get(`/${pool}/quote?inputMint=${USDC}&amount=123456789`)).toEqual({
      inAmount: '123456789',
      outAmount: quote?.outAmount.toString(),
      feeAmount: quote?.feeAmount.toString(),
      feeMint: quote?.feeMint,
    });
  });

  it.each([
    ['an amount of nothing', `inputMint=${USDC}&amount=0`, 400],
    ['an amount above a u64', `inputMint=${USDC}&amount=18446744073709551616`, 400],
    ['an amount that is no number', `inputMint=${USDC}&amount=-1`, 400],
    ['no amount', `inputMint=${USDC}`, 400],
    ['another token', `inputMint=${'1'.repeat(32)}&amount=1`, 400],
    ['a mint that is no address', 'inputMint=x&amount=1', 400],
    ['an amount that is too small to be paid anything', `inputMint=${USDC}&amount=1`, 409],
  ])('refuses %s', async (_, query, status) => {
    const { statusCode, body } = await inject(`/${pool}/quote?${query}`);
    expect([statusCode, body]).toEqual([status, expect.stringMatching(/amount|inputMint/)]);
  });

  it('refuses an address without a pool', async () => {
    expect((await inject(`/${USDC}/quote?inputMint=${USDC}&amount=1`)).statusCode).toBe(404);
  });
});

interface PoolListJson {
  readonly pools: readonly PoolRowJson[];
  readonly total: number;
  readonly cursor: string | null;
  readonly venues: readonly string[];
}

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
/** The largest pool of SOL and USDC of the genesis. */
const pool = '7JuwJuNU88gurFnyWeiyGKbFmExMWcmRZntn9imEzdny';
const NOW = 1_800_000_000_000;
let now = NOW;
let market: GenesisTestMarket;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openTestMarket('without programs');
  const { pools, prices, chain } = market;
  const findSymbol = (mint: Address) => findTokenByMint(mint)?.symbol ?? null;
  const views = new PoolViews({
    pools,
    venues: VENUES,
    dollarsPerAtom: (mint) => prices.dollarsPerAtom(mint),
    findFeedPrice: (mint) => (mint === USDC ? 1e-6 : mint === WRAPPED_SOL_MINT ? 210e-9 : null),
    findSymbol,
    slot: () => chain.slot('processed'),
    now: () => now,
  });
  const showToken = (mint: Address) => ({
    symbol: findSymbol(mint),
    decimals: findTokenByMint(mint)?.decimals ?? null,
    isVerified: findSymbol(mint) !== null,
  });
  app = await createSampleGateway({
    portal: createFixturePortal('/nonexistent', { pools: { views, showToken } }),
  });
});
afterAll(closeGateways);

/** Doubles what a token account holds. */
function double(vault: Address): void {
  const account = market.network.account(vault);
  if (account === null) throw new Error('no vault');
  const data = Buffer.from(account.data);
  data.writeBigUInt64LE(2n * data.readBigUInt64LE(64), 64);
  market.network.setAccount(vault, { ...account, data: new Uint8Array(data) });
  market.chain.publish([vault]);
}

function inject(path: string, headers: Record<string, string> = {}) {
  const own = { host: 'localhost:8787', 'x-api-key': KEY, ...headers };
  return app.inject({ method: 'GET', url: `/portal/data/pools${path}`, headers: own });
}

function list(query: string): Promise<PoolListJson> {
  return get(query);
}

function show(at: string): Promise<PoolJson> {
  return get(`/${at}`);
}

function getDepth({ depth }: PoolJson) {
  if (depth === null) throw new Error('the pool has no depth');
  return depth;
}

function getVaults({ vaults }: PoolJson) {
  if (vaults === null) throw new Error('the pool has no vaults');
  return vaults;
}

async function get<Answer>(path: string): Promise<Answer> {
  const answer = await inject(path);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  return answer.json();
}
