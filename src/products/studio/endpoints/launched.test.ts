import { describe, expect, it } from 'vitest';
import { openForAll } from '../../../testing/opened.ts';
import { LaunchedDesk } from '../../../testing/products/launched-desk.ts';

const desk = openForAll(() => LaunchedDesk.open(), 'close');

describe('addresses of a launch', () => {
  it('are the curve and its configuration, and after the graduation the pool, in `data` and at the root', async () => {
    const launch = desk.launch();
    const { keys } = launch;
    const before = {
      dbcPoolAddress: keys.pool,
      dammv2PoolAddress: null,
      configKey: keys.config,
    };
    expect(await desk.addresses(keys.baseMint)).toEqual({
      status: 200,
      json: { success: true, data: before, ...before },
    });
    await desk.graduate(launch);
    const after = { ...before, dammv2PoolAddress: launch.damm.address };
    expect(await desk.addresses(keys.baseMint)).toEqual({
      status: 200,
      json: { success: true, data: after, ...after },
    });
  });

  it('are not found for what was not launched', async () => {
    const { keys } = desk.launch();
    for (const mint of [keys.pool, keys.quoteMint]) {
      expect(await desk.addresses(mint)).toEqual({
        status: 404,
        json: { error: 'Pool addresses not found' },
      });
    }
    expect(await desk.addresses('moon')).toEqual({
      status: 400,
      json: { errors: { mint: ['mint must be an address: 32 bytes in base58, got "moon"'] } },
    });
  });
});

describe('the curve of a launch', () => {
  it('rises from nothing sold to its target, and says where it is', async () => {
    const launch = desk.launch();
    const { status, json } = await desk.curve(launch.keys.baseMint);
    expect(status).toBe(200);
    expect(json).toMatchObject({ poolAddress: launch.keys.pool, isComplete: false, isMigrated: false });
    expect(json.now).toEqual(json.points[0]);
    expect(json.points[0]).toMatchObject({ sold: '0', raised: '0' });
    for (const name of ['sold', 'raised', 'price']) {
      const values = json.points.map((point: Record<string, string>) => Number(point[name]));
      expect(values.toSorted((one: number, other: number) => one - other)).toEqual(values);
    }
    const last = json.points.at(-1);
    expect(BigInt(last.raised)).toBeGreaterThanOrEqual(BigInt(json.target));
    await desk.graduate(launch);
    const after = await desk.curve(launch.keys.baseMint);
    expect(after.json).toMatchObject({ isComplete: true, isMigrated: true, points: json.points });
    expect(after.json.now.sold).toBe(last.sold);
  });

  it('is not found for what was not launched', async () => {
    expect(await desk.curve(desk.launch().keys.pool)).toEqual({
      status: 404,
      json: { error: 'Curve not found' },
    });
  });
});

describe('fees of a creator', () => {
  it('are texts in base units, of which nothing is claimed yet', async () => {
    const launch = desk.launch();
    await desk.graduate(launch);
    const pool = desk.read(launch);
    expect(pool.creatorQuoteFee).toBeGreaterThan(0n);
    const half = pool.metrics.totalTradingQuoteFee / 2n;
    expect(await desk.fee({ poolAddress: launch.keys.pool })).toEqual({
      status: 200,
      json: { unclaimed: String(pool.creatorQuoteFee), total: String(half) },
    });
  });

  it.each([
    ['without a pool', {}, { poolAddress: ['poolAddress is missing'] }],
    [
      'with null in its place',
      { poolAddress: null },
      { poolAddress: ['poolAddress must be of the type string, got null'] },
    ],
    ['with a number', { poolAddress: 7 }, { poolAddress: ['poolAddress must be of the type string, got 7'] }],
    [
      'with what is no address',
      { poolAddress: 'x' },
      { poolAddress: ['poolAddress must be an address: 32 bytes in base58, got "x"'] },
    ],
    ['with no object', 7, { body: ['the body must be of the type object, got 7'] }],
  ])('are refused %s', async (_, body, errors) => {
    expect(await desk.fee(body)).toEqual({ status: 400, json: { errors } });
  });

  it('are refused for a mint', async () => {
    const { baseMint } = desk.launch().keys;
    expect(await desk.fee({ poolAddress: baseMint })).toEqual({
      status: 400,
      json: { errors: { poolAddress: [`there is no bonding curve at ${baseMint}`] } },
    });
  });
});

describe('a claim of fees', () => {
  it.each([
    ['without a limit', {}],
    ['with null in its place', { maxQuoteAmount: null }],
    ['with nothing', { maxQuoteAmount: 0 }],
    ['with an amount', { maxQuoteAmount: 1_000_000 }],
    ['with more than there is', { maxQuoteAmount: 1e12 }],
    ['with more than a u64 can be', { maxQuoteAmount: 1e30 }],
  ])('%s is a transaction', async (_, limit) => {
    expect(await desk.claim(limit)).toEqual({
      status: 200,
      json: { transaction: expect.stringMatching(/^[A-Za-z0-9+/]{300,}={0,2}$/) },
    });
  });

  it.each([
    ['less than nothing', -1, 'maxQuoteAmount must be >= 0, got -1'],
    ['a part of a base unit', 1.5, 'maxQuoteAmount must be a whole number of base units, got 1.5'],
    ['text', '5', 'maxQuoteAmount must be of the type number, got "5"'],
  ])('is refused with %s', async (_, maxQuoteAmount, text) => {
    expect(await desk.claim({ maxQuoteAmount })).toEqual({
      status: 400,
      json: { errors: { maxQuoteAmount: [text] } },
    });
  });

  it('names every missing field', async () => {
    expect(await desk.post('dbc/fee/create-tx', {})).toEqual({
      status: 400,
      json: { errors: { ownerWallet: ['ownerWallet is missing'], poolAddress: ['poolAddress is missing'] } },
    });
  });

  it('is refused to others than the creator, and for what is no pool', async () => {
    const { keys } = desk.launch();
    expect(await desk.claim({ ownerWallet: keys.baseMint })).toEqual({
      status: 403,
      json: { error: 'You are not the owner of this pool' },
    });
    expect(await desk.claim({ poolAddress: keys.baseMint })).toEqual({
      status: 404,
      json: { error: 'Proxy account not found for the creator' },
    });
  });
});
