import { expect, it } from 'vitest';
import { getGenesisFeed, KEPT_FEEDS } from '../../protocol/genesis/price-feeds.ts';
import { decodePriceFeed } from '../../solana/programs/price-feed/feed.ts';
import { openBankForTests, TestClock } from '../../testing/chain/bank.ts';
import { buildGenesis } from './build-genesis.ts';
import { overlayAccounts, readStandIns } from './network-accounts.ts';

it('the price of bitcoin moves every 15 seconds from the first slots on, and can be fixed', async () => {
  const { bank, clock } = await openNetwork();
  await bank.advanceSlot();
  expect(readFeed(bank)).toMatchObject({ price: 10_850_000_000_000n, publishTime: FOUNDED_AT });
  const seen = new Set<bigint>();
  for (let second = 1; second <= 60; second++) {
    clock.milliseconds += 1_000;
    await bank.advanceSlot();
    const { price, publishTime, previousPublishTime } = readFeed(bank);
    expect(publishTime % 15n === 0n || publishTime === FOUNDED_AT, String(publishTime)).toBe(true);
    expect(publishTime - previousPublishTime).toBeLessThanOrEqual(
      previousPublishTime === 0n ? publishTime : 15n,
    );
    seen.add(price);
  }
  expect(seen.size).toBe(5);
  expect(bank.admin.prices().find(({ symbol }) => symbol === 'BTC')).toMatchObject({
    feed: BTC.address,
    follows: null,
    walk: { deviation: 5_000, drift: 0, seconds: 15, steps: 4n },
  });
  expect(bank.admin.setPrice('BTC', '100000')).toMatchObject({ price: '100000', walk: null });
  clock.milliseconds += 30_000;
  await bank.advanceSlot();
  expect(readFeed(bank).price).toBe(10_000_000_000_000n);
  await bank.close();
});

it('lets a price that comes late stand for a whole step, so that rounds which closed meanwhile are settled by it', async () => {
  const { bank, clock } = await openNetwork();
  const pass = async (seconds: number) => {
    clock.milliseconds += seconds * 1_000;
    await bank.advanceSlot();
    return readFeed(bank);
  };
  const before = await pass(20);
  // 13 seconds behind a step, the next of which is due in two.
  const first = await pass(58 - Number(before.publishTime % 15n));
  expect(first).toMatchObject({ previousPublishTime: before.publishTime });
  expect(first.publishTime % 15n).toBe(13n);
  for (let second = 1; second < 17; second++) expect(await pass(1)).toEqual(first);
  const next = await pass(1);
  expect(next).toMatchObject({
    previousPublishTime: first.publishTime,
    publishTime: first.publishTime + 17n,
  });
  expect(await pass(15)).toMatchObject({
    previousPublishTime: next.publishTime,
    publishTime: next.publishTime + 15n,
  });
  await bank.close();
});

it('has its price of now in the first slot after the clock was put a week forward', async () => {
  const { bank } = await openNetwork();
  await bank.advanceSlot();
  const before = readFeed(bank);
  await bank.admin.warp({ seconds: 604_800 });
  const after = readFeed(bank);
  expect(after.price).not.toBe(before.price);
  await bank.advanceSlot();
  expect(readFeed(bank)).toEqual(after);
  await bank.close();
});

it('takes the same path on networks of the same seed, and another on others', async () => {
  const [one, same, other] = [buildGenesis('a'), buildGenesis('a'), buildGenesis('b')].map((genesis) =>
    genesis.accounts.find(({ account }) => account.data.length === 76),
  );
  expect(one?.account.data).toEqual(same?.account.data);
  expect(one?.account.data).not.toEqual(other?.account.data);
});

const BTC = getGenesisFeed('BTC');
/** Ten seconds behind a whole multiple of 15. */
const FOUNDED_AT = 1_756_684_810n;

async function openNetwork() {
  const genesis = buildGenesis('walking feed', FOUNDED_AT);
  const clock = new TestClock();
  clock.milliseconds = Number(FOUNDED_AT) * 1_000;
  const standIns = await readStandIns(genesis.programs, new URL('../../../programs/dist/', import.meta.url));
  const bank = await openBankForTests({
    genesis: genesis.accounts,
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    priceFeeds: KEPT_FEEDS,
    now: clock.now,
  });
  return { bank, clock };
}

function readFeed(bank: Awaited<ReturnType<typeof openNetwork>>['bank']) {
  return decodePriceFeed(bank.getAccount(BTC.address, 'processed')?.data ?? new Uint8Array(0));
}
