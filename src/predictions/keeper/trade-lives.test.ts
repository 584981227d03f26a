import { describe, expect, it } from 'vitest';
import { MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import { openForEach } from '../../testing/opened.ts';
import { PredictionRig } from '../../testing/predictions/prediction-rig.ts';
import { HOUSE_FUNDS } from '../../testing/predictions/prediction-world.ts';
import { openTestStore } from '../../testing/store/test-store.ts';

// Orders and their trades from landing to closing, over the real program.

const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');
const TEN = 10n * MICRO_PER_CONTRACT;

describe('PredictionKeeper with trades', () => {
  it('settles a trade between two users in one transaction, of which the vault keeps a pair and the fees', async () => {
    const { rig, market } = await open();
    const [ann, bob] = [rig.trader(100_000_000n), rig.trader(100_000_000n)];
    const resting = rig.order({ owner: ann, market, price: 505_000n, isLimit: true });
    await rig.pass(4);
    expect(rig.isOpen(resting)).toBe(true);
    const taking = rig.order({ owner: bob, market, isYes: false, price: 500_000n });
    await rig.runUntilClosed(resting, taking);
    expect(rig.held(ann, market)).toBe(TEN);
    expect(rig.held(bob, market, false)).toBe(TEN);
    const fee = 174_990n;
    expect(rig.tokens(ann)).toBe(100_000_000n - 5_050_000n - fee);
    expect(rig.tokens(bob)).toBe(100_000_000n - 4_950_000n - fee);
    expect(rig.vaultTokens).toBe(HOUSE_FUNDS + 10_000_000n + 2n * fee);
    expect(rig.fills()).toBe(1);
    await rig.closeAll();
  });

  it('burns a pair when holders of both sides sell to each other', async () => {
    const { rig, market } = await open();
    const [ann, bob] = [rig.trader(), rig.trader()];
    await rig.runUntilClosed(
      rig.order({ owner: ann, market, price: 505_000n, isLimit: true }),
      rig.order({ owner: bob, market, isYes: false, price: 500_000n }),
    );
    const before = rig.vaultTokens;
    const selling = rig.order({ owner: ann, market, isBuy: false, price: 505_000n, isLimit: true });
    await rig.pass(2);
    const taking = rig.order({ owner: bob, market, isBuy: false, isYes: false, price: 490_000n });
    await rig.runUntilClosed(selling, taking);
    expect([rig.held(ann, market), rig.held(bob, market, false)]).toEqual([0n, 0n]);
    expect(before - rig.vaultTokens).toBe(10_000_000n - 2n * 174_990n);
    await rig.closeAll();
  });

  it('fills what a deposit pays for with its fee, and gives the rest back', async () => {
    const { rig, market } = await open();
    const owner = rig.trader(100_000_000n);
    const order = rig.order({ owner, market, price: 510_000n, deposit: 2_700_000n });
    await rig.runUntilClosed(order);
    // 5.11 contracts would cost 2.6061 and 0.08939 of fees: 2.69549. One step more is too much.
    expect(rig.held(owner, market)).toBe(5_110_000n);
    expect(rig.tokens(owner)).toBe(100_000_000n - 2_606_100n - 89_390n);
    await rig.closeAll();
  });

  it('fails an order for which the book has nothing, and gives everything back', async () => {
    const { rig, market } = await open();
    const owner = rig.trader(100_000_000n);
    const lamports = rig.lamports(owner);
    const order = rig.order({ owner, market, price: 400_000n });
    await rig.runUntilClosed(order);
    expect(rig.tokens(owner)).toBe(100_000_000n);
    expect(rig.held(owner, market)).toBe(0n);
    expect(rig.position(owner, market)?.openOrders).toBe(0);
    // The position keeps its rent until the market is over.
    expect(lamports - rig.lamports(owner)).toBe(rig.rentOf(owner, market));
    expect(rig.metrics.countsOf('sluice_predictions_orders_ended_total')).toEqual({ unfilled: 1 });
    await rig.closeAll();
  });

  it('sweeps several resting orders and the house, in as few transactions as they fit', async () => {
    const { rig, market } = await open();
    const makers = [0, 1, 2, 3, 4].map(() => rig.trader());
    const resting = makers.map((owner, index) =>
      rig.order({
        owner,
        market,
        isYes: false,
        contracts: 3n * MICRO_PER_CONTRACT,
        price: 491_000n + BigInt(index) * 1_000n,
        isLimit: true,
      }),
    );
    await rig.pass(4);
    const taker = rig.trader();
    const taking = rig.order({ owner: taker, market, contracts: 20n * MICRO_PER_CONTRACT, price: 520_000n });
    await rig.runUntilClosed(taking, ...resting);
    expect(rig.held(taker, market)).toBe(2n * TEN);
    for (const maker of makers) expect(rig.held(maker, market, false)).toBe(3n * MICRO_PER_CONTRACT);
    expect(rig.fills()).toBeLessThanOrEqual(3);
    await rig.closeAll();
  });

  it('ends a resting order that the same wallet meets, and fills the other one elsewhere', async () => {
    const { rig, market } = await open();
    const owner = rig.trader(100_000_000n);
    const resting = rig.order({ owner, market, price: 505_000n, isLimit: true });
    await rig.pass(2);
    const taking = rig.order({ owner, market, isYes: false, price: 520_000n });
    await rig.runUntilClosed(resting, taking);
    expect(rig.held(owner, market)).toBe(0n);
    expect(rig.held(owner, market, false)).toBe(TEN);
    await rig.closeAll();
  });

  it('sells no contract twice', async () => {
    const { rig, market } = await open();
    const owner = rig.trader();
    await rig.runUntilClosed(rig.order({ owner, market }));
    const resting = rig.order({ owner, market, isBuy: false, price: 900_000n, isLimit: true });
    await rig.pass(2);
    const second = rig.order({ owner, market, isBuy: false });
    await rig.runUntilClosed(second);
    expect(rig.held(owner, market)).toBe(TEN);
    expect(rig.isOpen(resting)).toBe(true);
    await rig.closeAll();
  });

  it('ends a resting order when its time is over, and when its market closes', async () => {
    const { rig, market } = await open();
    const owner = rig.trader(100_000_000n);
    const first = rig.order({ owner, market, price: 300_000n, isLimit: true });
    rig.passSeconds(86_399n);
    await rig.pass(6);
    expect(rig.isOpen(first)).toBe(true);
    rig.passSeconds(1n);
    await rig.runUntilClosed(first);
    const second = rig.order({ owner, market, price: 300_000n, isLimit: true });
    await rig.pass(4);
    expect(rig.isOpen(second)).toBe(true);
    rig.events.change(market.marketId, { closeAt: Number(rig.now()) });
    await rig.runUntilClosed(second);
    expect(rig.keeper.exchange.getBook(market.marketId)).toBeNull();
    expect(rig.tokens(owner)).toBe(100_000_000n);
    await rig.closeAll();
  });

  it('fails orders of markets that are closed, halted, not open yet or unknown, and gives their money back', async () => {
    const { rig } = await open();
    const owner = rig.trader(100_000_000n);
    const now = Number(rig.now());
    const closed = rig.order({ owner, market: rig.market({ closeAt: now }) });
    const cancelled = rig.order({ owner, market: rig.market({ status: 'cancelled' }) });
    await rig.runUntilClosed(closed, cancelled);
    const early = rig.order({ owner, market: rig.market({ openAt: now + 3_600 }) });
    const unknown = rig.order({ owner, market: { ...rig.market(), marketIdHash: 'f'.repeat(32) } });
    await rig.pass(8);
    expect([rig.isOpen(early), rig.isOpen(unknown)]).toEqual([true, true]);
    rig.passSeconds(60n);
    await rig.runUntilClosed(early, unknown);
    expect(rig.tokens(owner)).toBe(100_000_000n);
    expect(rig.fills()).toBe(0);
    await rig.closeAll();
  });

  it('waits while the admin lets nobody trade, and fills afterwards', async () => {
    const { rig, market } = await open();
    rig.changeVault({ tradingDisabled: true });
    const owner = rig.trader();
    rig.changeVault({ tradingDisabled: false });
    const order = rig.order({ owner, market });
    rig.changeVault({ tradingDisabled: true });
    await rig.pass(20);
    expect(rig.isOpen(order)).toBe(true);
    rig.changeVault({ tradingDisabled: false });
    await rig.runUntilClosed(order);
    expect(rig.held(owner, market)).toBe(TEN);
    await rig.closeAll();
  });

  it('ends an order that the program refuses to fill, and fills the innocent order with somebody else', async () => {
    const { rig, market } = await open();
    const [ann, bob] = [rig.trader(), rig.trader()];
    await rig.runUntilClosed(rig.order({ owner: bob, market, isYes: false }));
    const resting = rig.order({ owner: ann, market, price: 495_000n, isLimit: true });
    await rig.pass(2);
    // The limit falls after the order was created, so that only the position that has contracts already would exceed it.
    const refused = rig.order({ owner: bob, market, isYes: false, price: 505_000n });
    rig.changeVault({ positionMaxContracts: 15n * MICRO_PER_CONTRACT });
    await rig.runUntilClosed(refused);
    expect(rig.isOpen(resting)).toBe(true);
    expect(rig.metrics.countsOf('sluice_predictions_orders_ended_total')).toEqual({ faulty: 1, filled: 1 });
    const carl = rig.trader();
    const taking = rig.order({ owner: carl, market, isYes: false, price: 505_000n });
    await rig.runUntilClosed(taking, resting);
    expect(rig.held(ann, market)).toBe(TEN);
    expect(rig.held(carl, market, false)).toBe(TEN);
    await rig.closeAll();
  });
});

async function open() {
  const rig = new PredictionRig(opened.store);
  const market = rig.market();
  await rig.start();
  return { rig, market };
}
