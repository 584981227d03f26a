import { beforeAll, describe, expect, it, vi } from 'vitest';
import { JUPUSD_MINT } from '../../src/protocols/jupiter-prediction/prediction-program.ts';
import type { Keypair } from '../../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { useInstance } from './shared-instance.ts';

// What people look at of each other on prediction markets: profiles, leaderboards, trades and scores of a running instance.

const instance = useInstance();
const EVENT = 'SOCIAL-TEST';
const MARKET = `${EVENT}-1`;
const DEPOSIT = 20_000_000;
let trader: Keypair;
beforeAll(setUp);

describe('a wallet that trades on a prediction market', () => {
  it('appears in trades, profiles and leaderboards, and has been right when its market is resolved', async () => {
    const unknown = await ask(`/profiles/${trader.address}`);
    expect(unknown).toEqual({ status: 404, json: { error: 'Profile not found' } });
    const before = (await ask('/leaderboards')).json.summary.all_time;

    await buy(true);
    const profile = (await ask(`/profiles/${trader.address}`)).json;
    expect(profile).toMatchObject({
      ownerPubkey: trader.address,
      predictionsCount: '0',
      realizedPnlUsd: '0',
    });
    const volume = BigInt(profile.totalVolumeUsd);
    expect(volume > 0n && volume <= BigInt(DEPOSIT)).toBe(true);
    expect(BigInt(profile.totalActiveContractsMicro)).toBeGreaterThan(0n);
    expect(BigInt(profile.totalPositionsValueUsd)).toBeGreaterThan(0n);

    const [trade] = (await ask('/trades')).json.data;
    expect(trade).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      ownerPubkey: trader.address,
      marketId: MARKET,
      eventId: EVENT,
      action: 'buy',
      side: 'yes',
      amountUsd: profile.totalVolumeUsd,
      message: expect.stringMatching(/^Bought [\d.]+ Yes at \$0\.\d{2,6}$/),
    });
    const positions = (await ask(`/profiles/${trader.address}/positions`)).json;
    expect(positions.data).toMatchObject([{ marketId: MARKET, sizeUsd: profile.totalVolumeUsd }]);

    await instance.admin('POST', `prediction-markets/${MARKET}/resolve`, { result: 'yes' });
    await claim(positions.data[0].pubkey);
    const won = (await ask(`/profiles/${trader.address}`)).json;
    expect(won).toMatchObject({ predictionsCount: '1', correctPredictions: '1', wrongPredictions: '0' });
    expect(BigInt(won.realizedPnlUsd)).toBeGreaterThan(0n);

    const { history } = (await ask(`/profiles/${trader.address}/pnl-history?interval=24h&count=3`)).json;
    expect(history).toHaveLength(3);
    expect(history.map(({ realizedPnlUsd }: { realizedPnlUsd: string }) => realizedPnlUsd)).toEqual([
      '0',
      '0',
      won.realizedPnlUsd,
    ]);

    for (const metric of ['pnl', 'volume']) {
      await vi.waitFor(async () => {
        const { data, summary } = (await ask(`/leaderboards?metric=${metric}&period=weekly`)).json;
        expect(data).toContainEqual(
          expect.objectContaining({
            ownerPubkey: trader.address,
            realizedPnlUsd: won.realizedPnlUsd,
            totalVolumeUsd: won.totalVolumeUsd,
            correctPredictions: 1,
            winRatePct: '100.00',
            period: 'weekly',
          }),
        );
        expect(BigInt(summary.all_time.totalVolumeUsd)).toBeGreaterThanOrEqual(
          BigInt(before.totalVolumeUsd) + volume,
        );
      });
    }
    // One lucky prediction leads no leaderboard.
    const lucky = (await ask('/leaderboards?metric=win_rate')).json.data;
    expect(lucky.map(({ ownerPubkey }: { ownerPubkey: string }) => ownerPubkey)).not.toContain(
      trader.address,
    );
  });
});

describe('two wallets of one person', () => {
  it('that trade with each other alone gain nothing together: they lose the fees', async () => {
    const wash = 'SOCIAL-WASH-1';
    const house = { startCents: 50, contractsPerCent: 0 };
    const markets = [{ title: 'Nobody else trades', house }];
    const event = { eventId: 'SOCIAL-WASH', title: 'Trades with oneself', category: 'tech', closeAt: '1d' };
    await instance.admin('POST', 'prediction-events', { ...event, markets });
    const [one, other] = await Promise.all([newTrader(), newTrader()]);

    // Each buys a side, and then one sells its side to the other at a price at which nobody would.
    const purchase = { marketId: wash, isBuy: true, depositMint: JUPUSD_MINT };
    const half = { ...purchase, depositAmount: String(DEPOSIT), maxBuyPriceUsd: '500000' };
    const first = await order(one, { ...half, isYes: true });
    await order(other, { ...half, isYes: false });
    const [yes] = await findPositions(one, (positions) => positions.length === 1);
    await waitUntilClosed(first);
    const sale = { positionPubkey: yes.pubkey, isYes: true, isBuy: false, minSellPriceUsd: '100000' };
    const sold = await order(one, { ...sale, contractsMicro: yes.contractsMicro });
    await order(other, { ...purchase, isYes: true, depositAmount: '6000000', maxBuyPriceUsd: '100000' });
    await waitUntilClosed(sold);

    await instance.admin('POST', `prediction-markets/${wash}/resolve`, { result: 'yes' });
    const isClaimable = ({ claimable }: { claimable: boolean }) => claimable;
    const held = await findPositions(other, (positions) => positions.some(isClaimable));
    await claim(held.find(isClaimable).pubkey, other);
    const profiles = await vi.waitFor(async () => {
      const [seller, winner] = await Promise.all([readProfile(one), readProfile(other)]);
      expect(winner).toMatchObject({ correctPredictions: '1', wrongPredictions: '1' });
      expect(seller).toMatchObject({ predictionsCount: '0' });
      return [seller, winner];
    });
    const fees = (await readFees(one)) + (await readFees(other));
    const pnl = profiles.reduce((sum, { realizedPnlUsd }) => sum + BigInt(realizedPnlUsd), 0n);
    const volume = profiles.reduce((sum, { totalVolumeUsd }) => sum + BigInt(totalVolumeUsd), 0n);
    expect(fees).toBeGreaterThan(0n);
    expect(pnl).toBe(-fees);
    expect(fees * 100n).toBeGreaterThan(volume);
  });
});

describe('the score of an event', () => {
  it('is that of the demo game on a fresh start', async () => {
    const { json } = await ask('/events/DEMO-1013/score');
    expect(json).toMatchObject({ eventId: 'DEMO-1013', score: '3.5-2.5', live: true, ended: false });
    expect((await ask('/events/scores?eventIds=DEMO-1013,none')).json).toEqual({ data: [json] });
    expect((await ask('/events/DEMO-1013')).json.liveScore).toEqual(json);
  });

  it('changes at once when the operator posts another one by the command line', async () => {
    expect(await ask(`/events/${EVENT}/score`)).toEqual({ status: 200, json: null });
    const { code, error } = await instance.run('prediction', 'score', EVENT, '--score=1-0', '--state=ended');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect((await ask(`/events/${EVENT}/score`)).json).toMatchObject({
      score: '1-0',
      live: false,
      ended: true,
    });
    expect((await ask(`/events/${EVENT}`)).json.liveScore).toMatchObject({ score: '1-0' });
  });
});

async function setUp(): Promise<void> {
  trader = await newTrader();
  await instance.admin('POST', 'prediction-events', {
    eventId: EVENT,
    title: 'Does the test pass?',
    category: 'tech',
    closeAt: '1d',
    markets: [{ title: 'It passes', house: { startCents: 40, contractsPerCent: 100 } }],
  });
}

function ask(path: string, body?: object) {
  return instance.ask(`/prediction/v1${path}`, body);
}

function newTrader(): Promise<Keypair> {
  return instance.newWallet(1_000_000_000n, { [JUPUSD_MINT]: BigInt(DEPOSIT) * 2n });
}

/** Buys contracts, and waits until the order is closed. */
async function buy(isYes: boolean): Promise<void> {
  const depositAmount = String(DEPOSIT);
  const asked = { marketId: MARKET, isYes, isBuy: true, depositAmount, depositMint: JUPUSD_MINT };
  await waitUntilClosed(await order(trader, asked));
}

/** Has an order built and lands it. Returns its address. */
async function order(wallet: Keypair, asked: object): Promise<string> {
  const { status, json } = await ask('/orders', { ownerPubkey: wallet.address, ...asked });
  expect(status, JSON.stringify(json)).toBe(200);
  await land(json.transaction, wallet);
  return json.order.orderPubkey;
}

async function waitUntilClosed(address: string): Promise<void> {
  await vi.waitFor(async () => {
    const { json } = await ask(`/orders/status/${address}`);
    expect(json).toMatchObject({ status: 'filled', latestEventType: 'order_closed' });
  });
}

/** Claims the payout of a position, once it can be claimed. */
async function claim(position: string, wallet = trader): Promise<void> {
  const asked = { ownerPubkey: wallet.address };
  const transaction = await vi.waitFor(async () => {
    const { status, json } = await ask(`/positions/${position}/claim`, asked);
    expect(status, JSON.stringify(json)).toBe(200);
    return json.transaction;
  });
  await land(transaction, wallet);
}

async function land(transaction: string, wallet: Keypair): Promise<void> {
  const parsed = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
  const signedTransaction = Buffer.from(addSignatures(parsed, [wallet])).toString('base64');
  const { json } = await ask('/execute', { signedTransaction });
  expect(json, JSON.stringify(json)).toMatchObject({ status: 'Success' });
}

async function readProfile({ address }: Keypair) {
  return (await ask(`/profiles/${address}`)).json;
}

/** Returns the positions of a wallet that have contracts, once they are as expected. */
function findPositions({ address }: Keypair, isExpected: (positions: readonly Position[]) => boolean) {
  return vi.waitFor(async () => {
    const { data } = (await ask(`/profiles/${address}/positions`)).json;
    const held = data.filter(({ contractsMicro }: Position) => contractsMicro !== '0');
    expect(isExpected(held), JSON.stringify(held)).toBe(true);
    return held;
  });
}

interface Position {
  readonly pubkey: string;
  readonly contractsMicro: string;
  readonly claimable: boolean;
}

/** Adds up the fees of a wallet's fills. */
async function readFees({ address }: Keypair): Promise<bigint> {
  const { data } = (await ask(`/history?ownerPubkey=${address}`)).json;
  const fees = data.map(({ eventType, feeUsd }: { eventType: string; feeUsd: string }) =>
    eventType === 'order_filled' ? BigInt(feeUsd) : 0n,
  );
  return fees.reduce((sum: bigint, fee: bigint) => sum + fee, 0n);
}
