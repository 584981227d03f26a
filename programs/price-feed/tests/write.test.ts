import { describe, expect, it } from 'vitest';
import { isWritable, type AccountRole } from '../../../src/solana/messages/instruction.ts';
import {
  decodePriceFeed,
  encodePriceFeed,
  PRICE_FEED_PROGRAM,
} from '../../../src/solana/programs/price-feed/feed.ts';
import { writePrices, writePriceWalk } from '../../../src/solana/programs/price-feed/instructions.ts';
import { decodePriceWalk, derivePriceWalkAddress } from '../../../src/solana/programs/price-feed/walk.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';

const NOW = 1_800_000_000n;
const network = new TestNetwork(['price-feed']);
network.setUnixTime(NOW);
const authority = network.newWallet();
const stranger = network.newWallet();

describe('write_prices', () => {
  it('publishes new prices, and those that stay, as of the slot', () => {
    const [moved, kept] = [newFeed(), newFeed()];
    const updates = [
      { feed: moved, value: { price: 200n, confidence: 4n } },
      { feed: kept, value: null },
    ];
    expect(network.send([writePrices(authority, updates)]).error).toBeNull();
    const slot = network.svm.getClock().slot;
    expect(read(moved)).toMatchObject({ price: 200n, confidence: 4n, publishTime: NOW, postedSlot: slot });
    expect(read(moved)).toMatchObject({ previousPublishTime: NOW - 1_800n, averagePrice: 150n });
    expect(read(kept)).toMatchObject({ price: 100n, confidence: 2n, publishTime: NOW, averagePrice: 100n });
  });

  it('refuses a signer that is not the authority, and a feed of another program', () => {
    const feed = newFeed();
    const update = [{ feed, value: { price: 1n, confidence: 0n } }];
    expect(network.send([writePrices(stranger, update)]).error?.custom).toBe(2001);
    const write = writePrices(authority, update);
    const [signer, ...rest] = write.accounts;
    if (signer === undefined) throw new Error('the instruction has no accounts');
    const unsigned = { ...write, accounts: [{ ...signer, role: 0 as AccountRole }, ...rest] };
    expect(network.send([unsigned]).error?.custom).toBe(3010);
    const foreign = newFeed();
    network.setData(foreign, stranger, network.account(feed)?.data ?? new Uint8Array(0));
    expect(network.send([writePrices(authority, [{ feed: foreign, value: null }])]).error?.custom).toBe(3007);
  });

  it('refuses a feed that is read-only or has another length', () => {
    const feed = newFeed();
    const write = writePrices(authority, [{ feed, value: null }]);
    const readOnly = { ...write, accounts: write.accounts.with(1, { address: feed, role: 0 }) };
    expect(network.send([readOnly]).error?.custom).toBe(2000);
    const data = network.account(feed)?.data ?? new Uint8Array(0);
    network.setData(feed, PRICE_FEED_PROGRAM, data.subarray(0, data.length - 1));
    expect(network.send([write]).error?.custom).toBe(3003);
  });

  it('refuses a negative price, and other feeds than prices', () => {
    const feed = newFeed();
    const negative = writePrices(authority, [{ feed, value: { price: -1n, confidence: 0n } }]);
    expect(network.send([negative]).error?.custom).toBe(102);
    const write = writePrices(authority, [{ feed, value: null }]);
    expect(network.send([{ ...write, accounts: write.accounts.slice(0, 1) }]).error?.custom).toBe(102);
    const more = {
      ...write,
      accounts: [...write.accounts, ...write.accounts.filter((each) => isWritable(each.role))],
    };
    expect(network.send([more]).error?.custom).toBe(102);
    expect(read(feed).publishTime).toBe(NOW - 1_800n);
  });

  it('refuses the instructions of the public program', () => {
    const postUpdate = {
      programAddress: PRICE_FEED_PROGRAM,
      accounts: [],
      data: Uint8Array.from([133, 95, 207, 175, 11, 79, 118, 44]),
    };
    const outcome = network.send([postUpdate]);
    expect(outcome.error?.custom).toBe(101);
    expect(outcome.logs.join('\n')).toContain('written by its price process');
  });
});

describe('write_walk', () => {
  it('makes the account beside the feed, and overwrites it', () => {
    const feed = newFeed();
    for (const steps of [3n, 4n]) {
      expect(network.send([writePriceWalk(authority, feed, { ...WALK, steps })]).error).toBeNull();
      const data = network.account(derivePriceWalkAddress(feed))?.data ?? new Uint8Array(0);
      expect(decodePriceWalk(data)).toEqual({ ...WALK, steps });
    }
  });

  it('refuses to overwrite an account that is read-only', () => {
    const feed = newFeed();
    const write = writePriceWalk(authority, feed, WALK);
    expect(network.send([write]).error).toBeNull();
    const accounts = write.accounts.with(2, { address: derivePriceWalkAddress(feed), role: 0 });
    expect(network.send([{ ...write, accounts }]).error?.custom).toBe(2000);
  });

  it('refuses a stranger, and the account of another feed', () => {
    const [feed, other] = [newFeed(), newFeed()];
    expect(network.send([writePriceWalk(stranger, feed, WALK)]).error?.custom).toBe(2001);
    const write = writePriceWalk(authority, feed, WALK);
    const accounts = write.accounts.with(2, { address: derivePriceWalkAddress(other), role: 1 });
    expect(network.send([{ ...write, accounts }]).error?.custom).toBe(2006);
  });
});

const WALK = { seed: 9n, deviation: 10_000, drift: -5, seconds: 10, startedAt: NOW, steps: 3n };

function newFeed(changes: Partial<ReturnType<typeof decodePriceFeed>> = {}) {
  const address = network.newAddress();
  const data = encodePriceFeed({
    writeAuthority: authority,
    feedId: new Uint8Array(32).fill(5),
    price: 100n,
    confidence: 2n,
    exponent: -8,
    publishTime: NOW - 1_800n,
    previousPublishTime: 0n,
    averagePrice: 100n,
    averageConfidence: 2n,
    postedSlot: 0n,
    ...changes,
  });
  network.setData(address, PRICE_FEED_PROGRAM, data);
  return address;
}

function read(feed: ReturnType<typeof newFeed>) {
  return decodePriceFeed(network.account(feed)?.data ?? new Uint8Array(0));
}
