import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { BPF_LOADER } from '../../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import {
  decodePriceFeed,
  encodePriceFeed,
  type PriceFeed,
  PRICE_FEED_PROGRAM,
  derivePriceFeedAddress,
} from '../../../solana/programs/price-feed/feed.ts';
import { derivePriceWalkAddress } from '../../../solana/programs/price-feed/walk.ts';
import { U64_MAX } from '../../../solana/units.ts';
import type { AddressedAccount } from '../../records/records.ts';
import {
  advance,
  createBankOptions,
  FAUCET,
  GENESIS,
  TestClock,
  openBankForTests,
} from '../../../testing/chain/bank.ts';
import type { BankOptions } from '../bank/bank-options.ts';
import { openBank } from '../bank/open-bank.ts';
import type { EmbeddedBank } from '../bank/embedded-bank.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import type { KeptFeed } from '../ledger/network-prices.ts';
import { computeWalkedPrice } from './random-walk.ts';

describe('PriceProcess', () => {
  it('publishes the prices of the genesis in the first slot, with its time and slot', async () => {
    const bank = await openBankForTests(OPTIONS);
    expect(feed(bank, 'SOL')).toMatchObject({
      price: START.SOL,
      publishTime: now(bank),
      postedSlot: bank.slot('processed'),
    });
    expect(bank.admin.prices().map(({ symbol, price }) => [symbol, price])).toEqual([
      ['SOL', '200'],
      ['mSOL', '265.2'],
      ['USDC', '1'],
    ]);
    await bank.close();
  });

  it('publishes again after a minute of the clock, and at once after a jump', async () => {
    const clock = new TestClock();
    const bank = await openBankForTests({ ...OPTIONS, now: clock.now });
    const first = bank.slot('processed');
    clock.milliseconds += 59_000;
    await advance(bank, 3);
    expect(feed(bank, 'USDC').postedSlot).toBe(first);
    clock.milliseconds += 1_000;
    await bank.advanceSlot();
    expect(feed(bank, 'USDC').postedSlot).toBe(bank.slot('processed'));
    for (const by of [{ seconds: 86_400 }, { slots: 5_000 }, { slots: 1, seconds: 700 }]) {
      await bank.admin.warp(by);
      expect(now(bank) - feed(bank, 'SOL').publishTime).toBeLessThan(60n);
    }
    await bank.close();
  });

  it('publishes even after the faucet, whose key pays for it, has given all it can', async () => {
    const clock = new TestClock();
    const bank = await openBankForTests({ ...OPTIONS, now: clock.now });
    await bank.advanceSlot();
    const left = () => bank.getAccount(FAUCET.address, 'processed')?.lamports ?? 0n;
    const wallet = derivePriceFeedAddress(idOf('somebody'));
    expect(() => bank.requestAirdrop(wallet, left() - 5_000n)).toThrow('it keeps');
    for (let lamports = left(); lamports > 10n ** 6n; lamports /= 2n) {
      try {
        bank.requestAirdrop(wallet, lamports);
      } catch {
        // Too much: the next one asks for less.
      }
    }
    expect(left()).toBeGreaterThan(90_000_000_000n);
    const first = bank.slot('processed');
    clock.milliseconds += 120_000;
    await advance(bank, 2);
    expect(feed(bank, 'SOL').postedSlot).toBeGreaterThan(first);
    await bank.close();
  });

  it('set moves a price, and the prices of the tokens that follow it', async () => {
    const bank = await openBankForTests(OPTIONS);
    await bank.advanceSlot();
    const set = bank.admin.setPrice('sol', '120.5');
    expect(set).toMatchObject({ symbol: 'SOL', price: '120.5', walk: null });
    expect(feed(bank, 'SOL')).toMatchObject({ price: 12_050_000_000n, confidence: 6_025_000n });
    expect(findTestPrice(bank, 'mSOL')).toBe('159.783');
    bank.admin.setPrice('SOL', '120.5');
    expect(findTestPrice(bank, 'USDC')).toBe('1');
    await bank.close();
  });

  it.each([
    ['DOGE', '1', 'no price feed for "DOGE": it has those of SOL, mSOL, USDC'],
    ['GONE', '1', 'no price feed'],
    ['mSOL', '1', 'follows SOL'],
    ['SOL', '0', 'must be more than 0'],
    ['SOL', '1.123456789', '8 decimals'],
    ['SOL', '-1', 'plain decimal number'],
    ['SOL', '99999999999', 'less than'],
  ])('refuses to set %s to %s', async (symbol, price, message) => {
    const bank = await openBankForTests(OPTIONS);
    await bank.advanceSlot();
    expect(() => bank.admin.setPrice(symbol, price)).toThrow(message);
    await bank.close();
  });

  it('walks step by step of its clock, however the slots fall, until it is stopped', async () => {
    const run = async (jumps: readonly number[]): Promise<string | undefined> => {
      const bank = await openBankForTests(OPTIONS);
      await bank.advanceSlot();
      bank.admin.walkPrice('SOL', { seed: 7n, deviation: 20_000, drift: -1_000, seconds: 10 });
      for (const seconds of jumps) await bank.admin.warp({ seconds });
      const price = findTestPrice(bank, 'SOL');
      expect(bank.admin.walkPrice('SOL', null).walk).toBeNull();
      await bank.admin.warp({ seconds: 1_000 });
      expect(findTestPrice(bank, 'SOL')).toBe(price);
      await bank.close();
      return price;
    };
    const whole = await run([600]);
    expect(await run([100, 5, 95, 400])).toBe(whole);
    expect(whole).not.toBe('200');
  });

  it('continues a walk after a restart, on the same path', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prices-'));
    const options = createBankOptions({ ...OPTIONS, folder });
    const before = await openBank(options);
    await before.advanceSlot();
    before.admin.walkPrice('SOL', { seed: 1n, deviation: 50_000, drift: 0, seconds: 5 });
    await before.admin.warp({ seconds: 50 });
    await before.close();
    const after = await openBank(options);
    expect(after.admin.prices()[0]?.walk).toMatchObject({ seed: 1n, seconds: 5 });
    await after.admin.warp({ seconds: 100 });
    const { walk } = after.admin.prices()[0] ?? {};
    if (walk === null || walk === undefined) throw new Error('the walk is gone');
    expect(feed(after, 'SOL').price).toBe(
      computeWalkedPrice(START.SOL, { ...walk, steps: 0n }, Number(walk.steps)),
    );
    await after.close();
    rmSync(folder, { recursive: true });
  });

  it('is restored with a snapshot', async () => {
    const bank = await openBankForTests(OPTIONS);
    await bank.advanceSlot();
    await bank.admin.saveSnapshot('before');
    bank.admin.setPrice('SOL', '50');
    await bank.admin.restoreSnapshot('before');
    expect(findTestPrice(bank, 'SOL')).toBe('200');
    await bank.close();
  });

  const broken: readonly [string, Uint8Array, RegExp][] = [
    ['that is no feed', new Uint8Array(134), /not a valid price feed: .*in the price feed of SOL/],
    ['that ends too early', feedData('SOL', {}).subarray(0, 100), /not a valid price feed/],
    [
      'with an exponent of a billion',
      feedData('SOL', { exponent: -1_000_000_000 }),
      /exponent -1000000000, which must be/,
    ],
    ['with a negative price', feedData('SOL', { price: -1n }), /price -1, which must not be negative/],
  ];

  it.each(broken)(
    'refuses a feed %s before anything is written, wherever it is from',
    async (_, data, reason) => {
      const bad = { address: feedOf('SOL'), account: account(PRICE_FEED_PROGRAM, data) };
      const hostile = await openBankForTests({
        genesis: [...ACCOUNTS.filter(({ address }) => address !== bad.address), bad],
      });
      await hostile.admin.saveSnapshot('bad');
      const packed = await hostile.admin.exportSnapshot('bad');
      await hostile.close();

      const bank = await openBankForTests(OPTIONS);
      await expect(bank.admin.importSnapshot('bad', packed)).rejects.toThrow(NetworkRefused);
      await expect(bank.admin.importSnapshot('bad', packed)).rejects.toThrow(reason);
      expect(() => bank.admin.setAccounts([bad])).toThrow(reason);
      expect(findTestPrice(bank, 'SOL')).toBe('200');
      await advance(bank, 2);
      await bank.close();
      await expect(openBankForTests({ ...OPTIONS, overlay: [bad] })).rejects.toThrow(reason);
    },
  );

  it('refuses a walk that is none, and a snapshot from before that has one', async () => {
    const bad = {
      address: derivePriceWalkAddress(feedOf('SOL')),
      account: account(PRICE_FEED_PROGRAM, new Uint8Array(8)),
    };
    const folder = mkdtempSync(join(tmpdir(), 'sluice-prices-'));
    const before = await openBank(createBankOptions({ genesis: [...ACCOUNTS, bad], folder }));
    await before.admin.saveSnapshot('bad');
    await before.admin.setAccounts([{ address: bad.address, account: null }]);
    await before.close();
    const bank = await openBank(createBankOptions({ ...OPTIONS, folder }));
    await expect(bank.admin.restoreSnapshot('bad')).rejects.toThrow(
      /nothing was written: not a valid price walk/,
    );
    expect(() => bank.admin.setAccounts([bad])).toThrow(NetworkRefused);
    await advance(bank, 2);
    expect(bank.getAccount(bad.address, 'processed')).toBeNull();
    await bank.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps a price that follows another within what a feed holds', async () => {
    const fine = {
      address: feedOf('mSOL'),
      account: account(PRICE_FEED_PROGRAM, feedData('mSOL', { exponent: -18 })),
    };
    const bank = await openBankForTests(OPTIONS);
    bank.admin.setAccounts([fine]);
    bank.admin.setPrice('SOL', '40000000000');
    expect(feed(bank, 'mSOL').price).toBe(1n << 62n);
    await bank.close();
  });

  it('refuses to touch prices in production, and still publishes them', async () => {
    const bank = await openBankForTests({ ...OPTIONS, production: true });
    await bank.advanceSlot();
    expect(feed(bank, 'SOL').publishTime).toBe(now(bank));
    expect(() => bank.admin.setPrice('SOL', '1')).toThrow('production');
    await bank.close();
  });
});

describe('computeWalkedPrice', () => {
  it('takes the same path in parts as in one, and never reaches zero', () => {
    const property = fc.property(
      terms,
      fc.bigInt(1n, 10n ** 15n),
      fc.nat(30),
      fc.nat(30),
      (walk, price, one, other) => {
        const half = computeWalkedPrice(price, walk, one);
        const rest = computeWalkedPrice(half, { ...walk, steps: walk.steps + BigInt(one) }, other);
        expect(rest).toBe(computeWalkedPrice(price, walk, one + other));
        expect(rest).toBeGreaterThan(0n);
      },
    );
    assertProperty(property, { cases: 200, seed: SEED });
  });

  it('has the deviation and the drift that it is given', () => {
    const price = 10n ** 15n;
    const moves = Array.from({ length: 3_000 }, (_, seed) => {
      const walk = {
        seed: BigInt(seed),
        deviation: 20_000,
        drift: 5_000,
        seconds: 3_600,
        startedAt: 0n,
        steps: 0n,
      };
      return Number(computeWalkedPrice(price, walk, 1) - price) / Number(price);
    });
    const mean = moves.reduce((sum, each) => sum + each, 0) / moves.length;
    const variance = moves.reduce((sum, each) => sum + (each - mean) ** 2, 0) / moves.length;
    expect(mean).toBeCloseTo(0.005, 2);
    expect(Math.sqrt(variance)).toBeCloseTo(0.02, 2);
  });

  const terms = fc.record({
    seed: fc.bigInt(0n, U64_MAX),
    deviation: fc.integer({ min: 0, max: 1_000_000 }),
    drift: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    seconds: fc.integer({ min: 1, max: 86_400 }),
    startedAt: fc.constant(0n),
    steps: fc.bigInt(0n, 1_000_000n),
  });
});

const SEED = 20_261_125;
const PROGRAM = new URL('../../../../programs/dist/price-feed.so', import.meta.url);
const idOf = (symbol: string) => Buffer.from(symbol.padEnd(32, '.'));
const feedOf = (symbol: string) => derivePriceFeedAddress(idOf(symbol));
const FEEDS: readonly KeptFeed[] = [
  { symbol: 'SOL', feed: feedOf('SOL'), follows: null },
  { symbol: 'mSOL', feed: feedOf('mSOL'), follows: { symbol: 'SOL', millionths: 1_326_000n } },
  { symbol: 'USDC', feed: feedOf('USDC'), follows: null },
  { symbol: 'GONE', feed: feedOf('GONE'), follows: null },
];
const START = { SOL: 20_000_000_000n, mSOL: 26_520_000_000n, USDC: 100_000_000n };

function account(owner: typeof PRICE_FEED_PROGRAM, data: Uint8Array, executable = false) {
  return { lamports: computeRentExemptMinimum(data.length), owner, data, executable, rentEpoch: U64_MAX };
}

function feedData(symbol: string, changed: Partial<PriceFeed>): Uint8Array {
  return encodePriceFeed({
    writeAuthority: FAUCET.address,
    feedId: idOf(symbol),
    price: 1n,
    confidence: 1n,
    exponent: -8,
    publishTime: 0n,
    previousPublishTime: 0n,
    averagePrice: 1n,
    averageConfidence: 1n,
    postedSlot: 0n,
    ...changed,
  });
}

const ACCOUNTS: readonly AddressedAccount[] = [
  ...GENESIS,
  { address: PRICE_FEED_PROGRAM, account: account(BPF_LOADER, new Uint8Array(readFileSync(PROGRAM)), true) },
  ...Object.entries(START).map(([symbol, price]) => ({
    address: feedOf(symbol),
    account: account(PRICE_FEED_PROGRAM, feedData(symbol, { price, averagePrice: price })),
  })),
];

const OPTIONS: Partial<BankOptions> = { genesis: ACCOUNTS, priceFeeds: FEEDS };

function feed(bank: EmbeddedBank, symbol: string) {
  return decodePriceFeed(bank.getAccount(feedOf(symbol), 'processed')?.data ?? new Uint8Array(0));
}

function findTestPrice(bank: EmbeddedBank, symbol: string): string | undefined {
  return bank.admin.prices().find((price) => price.symbol === symbol)?.price;
}

function now(bank: EmbeddedBank): bigint {
  return bank.blockTime(bank.slot('processed')) ?? 0n;
}
