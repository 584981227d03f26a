import { beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../solana/program-addresses.ts';
import { runAs } from '../common/party.ts';
import { Unavailable } from '../common/unavailable.ts';
import type { ListedToken, TokenDecision } from './decision.ts';
import type { Token } from './facts/token.ts';
import { boughtBy, numbered, TokenWorld } from '../testing/test-tokens.ts';
import { openForEach } from '../testing/opened.ts';

const world = openForEach(() => new TokenWorld());
beforeEach(setUp);

describe('Tokens.search', () => {
  it('finds the token of a new pool at once', async () => {
    const tokens = await world.open();
    expect(await tokens.search('cat', 20)).toEqual([]);
    world.mint(OTHER, { name: 'A cat', symbol: 'CAT' });
    world.pool(numbered(50), [OTHER, DOLLAR]);
    expect(await tokens.search('cat', 20)).toMatchObject([{ mint: OTHER, name: 'A cat', symbol: 'CAT' }]);
    expect(symbolsOf(await tokens.search('dollar', 20))).toEqual(['USD']);
    tokens.close();
  });

  it('puts a verified token before one with the same symbol and more liquidity, and marks the other', async () => {
    for (const [mint, symbol] of [
      [REAL, 'USDC'],
      [FAKE, 'USDС'],
      [OTHER, 'USDC'],
    ] as const) {
      world.mint(mint, { name: 'USD Coin', symbol });
      world.pool(numbered(60), [mint, DOLLAR]);
      world.price(mint, mint === REAL ? 1 : 1_000_000);
    }
    const tokens = await world.open({ listed: [listedAs(REAL, 'USDC', 'verified')] });
    for (const text of ['usdc', 'USDС', '$USDC']) {
      const found = await tokens.search(text, 20);
      expect(found.map(({ mint, isVerified, isImitation }) => [mint, isVerified, isImitation])).toEqual([
        [REAL, true, false],
        [FAKE, false, true],
        [OTHER, false, true],
      ]);
    }
    tokens.close();
  });

  it('puts symbols before beginnings, beginnings before names, and verification before score before liquidity', async () => {
    const list: ListedToken[] = [];
    const make = (
      number: number,
      symbol: string,
      name: string,
      ...[traders, liquidity, isListed]: [number, number, boolean?]
    ) => {
      const mint = world.mint(numbered(number), { name, symbol });
      world.pool(numbered(1_000 + number), [mint, DOLLAR]);
      world.stats.set(mint, boughtBy(traders, traders * 100));
      world.price(mint, liquidity);
      if (isListed === true) list.push({ ...listedAs(mint, symbol, 'verified'), name });
    };
    make(201, 'CAT', 'poor', 0, 10);
    make(202, 'CAT', 'rich', 0, 9_000_000);
    make(203, 'CAT', 'traded', 50, 10);
    make(204, 'CAT', 'verified', 0, 0, true);
    make(205, 'CATS', 'prefix', 50, 9_000_000);
    make(206, 'CATX', 'verified prefix', 0, 0, true);
    make(207, 'HAT', 'The cat in a hat', 50, 9_000_000, true);
    const tokens = await world.open({ listed: list });
    const names = (await tokens.search('cat', 20)).map(({ name }) => name);
    const symbols = ['verified', 'traded', 'rich', 'poor'];
    expect(names).toEqual([...symbols, 'verified prefix', 'prefix', 'The cat in a hat']);
    expect((await tokens.search('cat', 1)).map(({ name }) => name)).toEqual(['verified']);
    tokens.close();
  });

  it('answers from what is known while new tokens cannot be read, and finds them afterwards', async () => {
    world.pool(numbered(49), [DOLLAR, numbered(77)]);
    const tokens = await world.open();
    world.failure = new Error('the network does not answer');
    world.mint(OTHER, { name: 'A cat', symbol: 'CAT' });
    world.pool(numbered(50), [OTHER, DOLLAR]);
    const asked = tokens.search('dollar', 20);
    await new Promise(setImmediate);
    world.timers.advance(250);
    expect(symbolsOf(await asked)).toEqual(['USD']);
    expect(symbolsOf(await tokens.search('dollar', 20))).toEqual(['USD']);
    world.failure = null;
    world.timers.advance(1_000);
    while ((await tokens.search('cat', 20)).length === 0) await new Promise(setImmediate);
    tokens.close();
  });

  it('shows the text of the metadata as soon as it has been read again', async () => {
    world.mint(OTHER, { name: 'Before', symbol: 'OLD' });
    world.pool(numbered(50), [OTHER, DOLLAR]);
    const tokens = await world.open();
    world.name(OTHER, 'After', 'NEW');
    await world.refresh();
    expect(symbolsOf(await tokens.search('after', 20))).toEqual(['NEW']);
    expect(await tokens.search('before', 20)).toEqual([]);
    tokens.close();
  });
});

describe('Tokens.find', () => {
  it('finds mints that no pool trades, and leaves out what is no mint', async () => {
    const tokens = await world.open();
    world.mint(OTHER);
    const found = await tokens.find([OTHER, numbered(99), DOLLAR]);
    expect(found).toMatchObject([
      { mint: OTHER, name: '', symbol: '', firstPool: null, isVerified: false },
      { mint: DOLLAR, symbol: 'USD' },
    ]);
    expect(tokens.size).toBe(0);
    tokens.close();
  });

  it('reads a mint that no pool trades once in two seconds, however often it is asked for', async () => {
    const tokens = await world.open();
    world.mint(OTHER);
    for (let time = 0; time < 10; time++) await tokens.find([OTHER]);
    expect(world.reads).toBe(2);
    world.timers.advance(2_001);
    await tokens.find([OTHER]);
    expect(world.reads).toBeGreaterThan(2);
    tokens.close();
  });

  it('refuses when too many reads are in flight, and answers others meanwhile and everybody afterwards', async () => {
    const tokens = await world.open();
    const ask = (id: string, at: number) =>
      runAs({ kind: 'organisation', id }, () => tokens.find([numbered(1_000 + at)]));
    const asked = Array.from({ length: 20 }, (_, at) => ask('acme', at));
    const other = ask('other', 20);
    const ended = await Promise.allSettled(asked);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await other).toHaveLength(0);
    const refused = ended.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: expect.any(Unavailable) });
    expect(await tokens.find([DOLLAR])).toHaveLength(1);
    tokens.close();
  });
});

describe('the decisions of the operator', () => {
  beforeEach(() => {
    world.mint(OTHER, { name: 'A cat', symbol: 'CAT' });
    world.pool(numbered(50), [OTHER, DOLLAR]);
  });

  it('verify a token, and show what was submitted about it', async () => {
    const tokens = await world.open();
    const details = { name: 'The cat', website: 'https://example.org' };
    world.decide(OTHER, { level: 'verified', tags: ['lst'], details });
    const [found] = await tokens.search('the cat', 20);
    expect(found).toMatchObject({ mint: OTHER, isVerified: true, tags: ['verified', 'lst'], details });
    expect(mintsOf(await tokens.tagged('verified'))).toEqual([OTHER]);
    expect(mintsOf(await tokens.tagged('lst'))).toEqual([OTHER]);
    const named = { name: 'The cat', symbol: 'CAT', logoURI: null, tags: ['verified', 'lst'] };
    expect(tokens.listedAs(OTHER)).toEqual(named);
    expect(tokens.listedAs(DOLLAR)).toBeNull();
    world.decide(OTHER, null);
    expect(await tokens.tagged('verified')).toEqual([]);
    tokens.close();
  });

  it('take verification back from a token of the list', async () => {
    const tokens = await world.open({ listed: [listedAs(OTHER, 'CAT', 'verified', 'meme')] });
    expect(mintsOf(await tokens.tagged('verified'))).toEqual([OTHER]);
    world.decide(OTHER, { ...VERIFIED, level: 'unverified' });
    expect(tokens.listedAs(OTHER)).toBeNull();
    expect(await tokens.find([OTHER])).toMatchObject([{ isVerified: false, tags: ['meme'] }]);
    expect(await tokens.tagged('verified')).toEqual([]);
    tokens.close();
  });

  it('are looked up in turns for a list, each token of which is counted', async () => {
    const tokens = await world.open({ listed: [listedAs(OTHER, 'CAT', 'verified')] });
    let counted = 0;
    const work = {
      take: (units: number) => {
        counted += units;
        return null;
      },
    };
    const countOf = async (list: Promise<readonly unknown[]>) => {
      const before = counted;
      return [(await list).length, counted - before];
    };
    expect(await countOf(tokens.tagged('verified', work))).toEqual([1, 1]);
    expect(await countOf(tokens.best(5_000, work))).toEqual([2, 2]);
    expect(await countOf(tokens.find([OTHER, DOLLAR], work))).toEqual([2, 2]);
    expect(await countOf(tokens.search('cat', 20, work))).toEqual([1, 1]);
    tokens.close();
  });

  it('ban a token from every answer', async () => {
    world.stats.set(OTHER, boughtBy(5, 100));
    const tokens = await world.open({ listed: [listedAs(OTHER, 'CAT', 'verified')] });
    expect(await tokens.top('toptraded', '24h', 10)).toHaveLength(1);
    world.decide(OTHER, BANNED);
    expect(await tokens.search('cat', 20)).toEqual([]);
    expect(await tokens.find([OTHER])).toEqual([]);
    expect(await tokens.tagged('verified')).toEqual([]);
    expect(await tokens.top('toptraded', '24h', 10)).toEqual([]);
    expect(mintsOf(await tokens.best())).toEqual([DOLLAR]);
    expect(await tokens.best(0)).toEqual([]);
    world.decide(OTHER, null);
    expect(await tokens.search('cat', 20)).toHaveLength(1);
    tokens.close();
  });

  it('apply to a mint that no pool trades', async () => {
    const tokens = await world.open();
    world.mint(FAKE, { name: 'Fake', symbol: 'FAKE' });
    world.decide(FAKE, BANNED);
    expect(await tokens.find([FAKE])).toEqual([]);
    world.decide(FAKE, VERIFIED);
    expect(mintsOf(await tokens.tagged('verified'))).toEqual([FAKE]);
    tokens.close();
  });
});

describe('Tokens.recent', () => {
  it('orders by the first pool, newest first, and does not believe a time to come', async () => {
    world.mint(REAL, { symbol: 'OLD' });
    world.mint(FAKE, { symbol: 'LATER' });
    world.mint(OTHER, { symbol: 'NEW' });
    world.pool(numbered(50), [REAL, numbered(77)], 1_700_000_000n);
    world.pool(numbered(51), [REAL, numbered(77)], 1_600_000_000n);
    world.pool(numbered(52), [FAKE, numbered(77)], 9_999_999_999n);
    const tokens = await world.open();
    world.pool(numbered(53), [OTHER, numbered(77)], 5n);
    expect((await tokens.recent(30)).map(({ symbol, firstPool }) => [symbol, firstPool])).toEqual([
      ['NEW', { address: numbered(53), createdAt: 1_800_000_000_000 }],
      ['OLD', { address: numbered(51), createdAt: 1_600_000_000_000 }],
    ]);
    world.pool(numbered(54), [REAL, OTHER]);
    expect(symbolsOf(await tokens.recent(30))).toEqual(['NEW', 'OLD']);
    tokens.close();
  });
});

describe('Tokens.recent on a network with many pools', () => {
  it('returns as many as are asked for, those whose first pool is newest', async () => {
    const tokens = await world.open();
    for (let at = 0; at < 40; at++) {
      world.timers.advance(1_000);
      world.mint(numbered(400 + at), { symbol: `N${at}` });
      world.pool(numbered(500 + at), [numbered(400 + at), numbered(77)]);
    }
    const newest = Array.from({ length: 30 }, (_, at) => `N${39 - at}`);
    expect(symbolsOf(await tokens.recent(30))).toEqual(newest);
    tokens.close();
  });
});

describe('Tokens.top', () => {
  it('orders by volume, by price movement and by organic score, without SOL and stablecoins', async () => {
    const list = [listedAs(DOLLAR, 'USD', 'verified', 'stablecoin')];
    for (const [mint, traders, volume, priceChange, liquidity] of [
      [REAL, 100, 10_000, 1, 50_000],
      [OTHER, 20, 90_000, -30, 50_000],
      [FAKE, 1, 500_000, 900, 10],
      [DOLLAR, 500, 900_000, 80, 900_000],
      [WRAPPED_SOL_MINT, 500, 900_000, 80, 900_000],
    ] as const) {
      world.mint(mint, { symbol: `T${traders}` });
      world.pool(numbered(50), [mint, numbered(77)]);
      world.stats.set(mint, boughtBy(traders, volume, { priceChange }));
      world.price(mint, liquidity);
    }
    const tokens = await world.open({ listed: list });
    expect(mintsOf(await tokens.top('toptraded', '24h', 100))).toEqual([FAKE, OTHER, REAL]);
    expect(mintsOf(await tokens.top('toptraded', '24h', 2))).toEqual([FAKE, OTHER]);
    // A token with almost no liquidity does not trend, and one with a single trader has no score.
    expect(mintsOf(await tokens.top('toptrending', '24h', 100))).toEqual([OTHER, REAL]);
    expect(mintsOf(await tokens.top('toporganicscore', '24h', 100))).toEqual([REAL, OTHER]);
    const [most] = await tokens.find([REAL]);
    expect(most?.organicScore).toBeGreaterThan(60);
    expect(most?.organicScore).toBeLessThanOrEqual(100);
    tokens.close();
  });
});

describe('the bound of tokens', () => {
  it('lets thousands of new tokens replace only each other', async () => {
    world.mint(REAL, { name: 'The real one', symbol: 'REAL' });
    world.price(REAL, 50_000);
    world.mint(OTHER, { name: 'Verified', symbol: 'VER' });
    for (const [at, mint] of [REAL, OTHER, DOLLAR].entries())
      world.pool(numbered(50 + at), [mint, numbered(77)]);
    const tokens = await world.open({ maxTokens: 10, listed: [listedAs(OTHER, 'VER', 'verified')] });
    for (let at = 0; at < 3_000; at++) {
      const spam = world.mint(numbered(10_000 + at), { name: 'REAL', symbol: 'REAL' });
      world.pool(numbered(20_000 + at), [spam, numbered(77)]);
    }
    const [found] = await tokens.search('real', 20);
    expect(found).toMatchObject({ mint: REAL });
    expect(tokens.size).toBeLessThanOrEqual(10);
    expect(mintsOf(await tokens.search('ver', 20))).toEqual([OTHER]);
    tokens.close();
  });

  it('leaves new tokens out while every place is taken by one with liquidity', async () => {
    for (let at = 0; at < 5; at++) {
      const mint = world.mint(numbered(100 + at), { symbol: `RICH${at}` });
      world.pool(numbered(200 + at), [mint, numbered(77)]);
      world.price(mint, 1_000);
    }
    const tokens = await world.open({ maxTokens: 5 });
    world.mint(OTHER, { symbol: 'NEW' });
    world.pool(numbered(300), [OTHER, numbered(77)]);
    expect(await tokens.search('new', 20)).toEqual([]);
    expect(await tokens.find([OTHER])).toHaveLength(1);
    expect(tokens.size).toBe(5);
    tokens.close();
  });
});

const [REAL, FAKE, OTHER, DOLLAR] = [numbered(1), numbered(2), numbered(3), numbered(4)] as const;
const listedAs = (mint: Address, symbol: string, ...tags: string[]): ListedToken => ({
  mint,
  symbol,
  name: `${symbol} of the list`,
  logoURI: `https://example.org/${symbol}.png`,
  tags,
});
const VERIFIED: TokenDecision = { level: 'verified', tags: [], details: {} };
const BANNED: TokenDecision = { level: 'banned', tags: [], details: {} };
const symbolsOf = (tokens: readonly Token[]) => tokens.map(({ symbol }) => symbol);
const mintsOf = (tokens: readonly Token[]) => tokens.map(({ mint }) => mint);

function setUp(): void {
  world.mint(DOLLAR, { name: 'Dollar', symbol: 'USD' });
}
