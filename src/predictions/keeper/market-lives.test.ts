import { describe, expect, it } from 'vitest';
import { MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import {
  derivePredictionTokens,
  PREDICTION_VAULT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import { openForEach } from '../../testing/opened.ts';
import { PredictionRig } from '../../testing/predictions/prediction-rig.ts';
import { HOUSE_FUNDS } from '../../testing/predictions/prediction-world.ts';
import { openTestStore } from '../../testing/store/test-store.ts';

// Markets from their opening to the last position, over the real program.

const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');
const TEN = 10n * MICRO_PER_CONTRACT;
const DAY = 86_400n;

describe('PredictionKeeper with markets', () => {
  it('ends resting orders, posts the result, takes lost positions away, and pays winners a day later', async () => {
    const { rig, market } = await open();
    const [ann, bob, carl] = [rig.trader(), rig.trader(), rig.trader(100_000_000n)];
    await rig.runUntilClosed(
      rig.order({ owner: ann, market }),
      rig.order({ owner: bob, market, isYes: false }),
    );
    const resting = rig.order({ owner: carl, market, price: 200_000n, isLimit: true });
    await rig.pass(2);
    rig.decide(market, 'yes');
    await rig.runUntilClosed(resting);
    await rig.runUntil(() => rig.result(market) !== null);
    expect(rig.result(market)).toMatchObject({ outcome: 1, claimsEnabled: true });
    await rig.runUntil(() => rig.held(bob, market, false) === 0n);
    expect(rig.tokens(carl)).toBe(100_000_000n);
    const before = rig.tokens(ann);
    rig.passSeconds(DAY - 1n);
    await rig.pass(8);
    expect(rig.held(ann, market)).toBe(TEN);
    rig.passSeconds(1n);
    await rig.runUntil(() => rig.held(ann, market) === 0n);
    expect(rig.tokens(ann) - before).toBe(10_000_000n);
    // Nothing is owed any more, so the house has what it has won or lost.
    const kept = rig.vaultTokens;
    rig.passSeconds(7n * DAY);
    await rig.runUntil(() => rig.position(ann, market) === null && rig.position(bob, market, false) === null);
    expect(rig.vaultTokens).toBe(kept);
    await rig.closeAll();
  });

  it('leaves a payout to the owner who claims it first', async () => {
    const { rig, market } = await open();
    const ann = rig.trader();
    await rig.runUntilClosed(rig.order({ owner: ann, market }));
    rig.decide(market, 'yes');
    await rig.runUntil(() => rig.result(market) !== null);
    const before = rig.tokens(ann);
    rig.claim(ann, market);
    rig.passSeconds(DAY);
    await rig.pass(10);
    expect(rig.tokens(ann) - before).toBe(10_000_000n);
    expect(rig.metrics.countsOf('sluice_predictions_transactions_total')).not.toHaveProperty('claim success');
    await rig.closeAll();
  });

  it('refunds what positions have cost when a market is cancelled', async () => {
    const { rig, market } = await open();
    const [ann, bob] = [rig.trader(100_000_000n), rig.trader(100_000_000n)];
    await rig.runUntilClosed(
      rig.order({ owner: ann, market }),
      rig.order({ owner: bob, market, isYes: false }),
    );
    const [annPaid, bobPaid] = [rig.position(ann, market), rig.position(bob, market, false)];
    const [annLeft, bobLeft] = [rig.tokens(ann), rig.tokens(bob)];
    rig.events.change(market.marketId, { status: 'cancelled' });
    await rig.runUntil(() => rig.held(ann, market) === 0n && rig.held(bob, market, false) === 0n);
    expect(rig.result(market)).toMatchObject({ outcome: 3 });
    expect(rig.tokens(ann) - annLeft).toBe(annPaid?.totalCost);
    expect(rig.tokens(bob) - bobLeft).toBe(bobPaid?.totalCost);
    // The house has the fees, and neither won nor lost.
    expect(rig.vaultTokens - HOUSE_FUNDS).toBe((annPaid?.feesPaid ?? 0n) + (bobPaid?.feesPaid ?? 0n));
    await rig.closeAll();
  });

  it('pays half a dollar for each contract of a cancelled market whose positions have cost more than it has taken in', async () => {
    const rig = new PredictionRig(opened.store);
    // One level of 10 contracts at each cent, so that the house can lose 1 to 2 dollars.
    const market = rig.market({ house: { startCents: 10, levelContracts: 100_000n } });
    await rig.start();
    const [ann, bob] = [rig.trader(), rig.trader()];
    // The same person buys from himself, dear, what he has bought cheaply: 10 pairs at 50 cents, and 10 sold on at 99.
    await rig.runUntilClosed(
      rig.order({ owner: ann, market, isYes: true, price: 100_000n, isLimit: true, contracts: 2n * TEN }),
      rig.order({ owner: bob, market, isYes: false, price: 900_000n, contracts: 2n * TEN }),
    );
    const dear = rig.order({
      owner: ann,
      market,
      isBuy: false,
      price: 990_000n,
      contracts: 2n * TEN,
      isLimit: true,
    });
    await rig.pass(2);
    const owner = rig.trader();
    await rig.runUntilClosed(dear, rig.order({ owner, market, price: 990_000n, contracts: 3n * TEN }));
    rig.events.change(market.marketId, { status: 'cancelled' });
    await rig.runUntil(() => rig.result(market) !== null);
    expect(rig.result(market)).toMatchObject({ outcome: 2 });
    const before = rig.tokens(owner);
    const held = rig.held(owner, market);
    await rig.runUntil(() => rig.held(owner, market) === 0n && rig.held(bob, market, false) === 0n);
    expect(rig.tokens(owner) - before).toBe(held / 2n);
    expect(rig.vaultTokens).toBeGreaterThanOrEqual(HOUSE_FUNDS - 2_000_000n);
    await rig.closeAll();
  });

  it('refuses to open a market whose house the vault does not cover, and does not trade one', async () => {
    const { rig } = await open();
    const dear = { startCents: 50, levelContracts: 200_000n * MICRO_PER_CONTRACT };
    const draft = rig.market({ house: dear, closeAt: Number(rig.now()) + 60 });
    expect(await rig.keeper.open([{ ...draft, marketId: 'another' }])).toMatchObject({ ok: false });
    expect(await rig.keeper.open([])).toMatchObject({ ok: false });
    await rig.pass(4);
    expect(rig.keeper.exchange.getBook(draft.marketId)).toBeNull();
    expect(rig.defects.map(String)).toEqual([expect.stringContaining(draft.marketId)]);
    await rig.closeAll();
  });

  it('trades a market again that was halted at its end, when the clock of the network goes back', async () => {
    const { rig, market } = await open();
    await rig.runUntilClosed(rig.order({ owner: rig.trader(), market }));
    const seconds = BigInt(market.closeAt) - rig.now();
    rig.passSeconds(seconds);
    await rig.runUntil(() => rig.keeper.exchange.getBook(market.marketId) === null);
    rig.passSeconds(-seconds);
    await rig.runUntil(() => rig.keeper.exchange.getBook(market.marketId) !== null);
    const owner = rig.trader();
    await rig.runUntilClosed(rig.order({ owner, market }));
    expect(rig.held(owner, market)).toBe(TEN);
    await rig.closeAll();
  });

  it('opens the account of an owner who has closed it, at most as often as the owner is worth it', async () => {
    const rig = new PredictionRig(opened.store);
    rig.limits = { perWallet: 2_200_000n, inAll: 1_000_000_000n };
    const market = rig.market();
    await rig.start();
    const owner = rig.trader(10_000_000n);
    const close = (order: Parameters<typeof rig.isOpen>[0]) => {
      rig.setLamports(derivePredictionTokens(owner), 0n);
      return order;
    };
    const first = close(rig.order({ owner, market, price: 400_000n, deposit: 10_000_000n }));
    await rig.runUntilClosed(first);
    expect(rig.tokens(owner)).toBe(10_000_000n);
    const again = close(rig.order({ owner, market, price: 400_000n, deposit: 10_000_000n }));
    await rig.pass(20);
    expect(rig.isOpen(again)).toBe(true);
    // The owner opens an account at the own cost.
    rig.setTokens(owner, 0n);
    for (let minute = 0; minute < 10 && rig.isOpen(again); minute++) {
      rig.timers.advance(60_000);
      await rig.quiet();
    }
    expect(rig.tokens(owner)).toBe(10_000_000n);
    await rig.closeAll();
  });

  it('lets orders wait while the vault does not cover what positions and the house may cost', async () => {
    const { rig, market } = await open();
    const [ann, bob] = [rig.trader(), rig.trader()];
    await rig.runUntilClosed(rig.order({ owner: ann, market }));
    const held = rig.vaultTokens;
    rig.setTokens(PREDICTION_VAULT.address, 1_000_000_000n);
    await rig.pass(4);
    const waiting = rig.order({ owner: bob, market });
    await rig.pass(8);
    expect([rig.isOpen(waiting), rig.held(bob, market)]).toEqual([true, 0n]);
    rig.setTokens(PREDICTION_VAULT.address, held);
    await rig.runUntilClosed(waiting);
    expect(rig.held(bob, market)).toBe(TEN);
    await rig.closeAll();
  });

  it('answers an administrator when new markets are traded, without those that open later', async () => {
    const { rig } = await open();
    const market = rig.market();
    const later = { ...market, marketId: 'later', openAt: market.openAt + 1_000_000 };
    const beginning = rig.keeper.begin([market, later]);
    await rig.pass(4);
    await beginning;
    expect(rig.keeper.exchange.getPrices(market.marketId)).not.toBeNull();
    await rig.closeAll();
  });

  it('answers an administrator when the result is on the chain', async () => {
    const { rig, market } = await open();
    rig.decide(market, 'no');
    const posting = rig.keeper.resolve(market.marketId, 'no');
    await rig.pass(4);
    expect(await posting).toEqual({ ok: true });
    expect(rig.result(market)).toMatchObject({ outcome: 0 });
    expect(await rig.keeper.resolve('nothing', 'no')).toMatchObject({ ok: false });
    await rig.closeAll();
  });
});

async function open() {
  const rig = new PredictionRig(opened.store);
  const market = rig.market();
  await rig.start();
  return { rig, market };
}
