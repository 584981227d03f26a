import { describe, expect, it } from 'vitest';
import { encodeDcaFeeAuthority } from '../../protocols/jupiter-dca/dca-fee-authority.ts';
import { DCA_FEE_AUTHORITY, DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import { encodeLimitOrder, LIMIT_ORDER_SIZE } from '../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_FEE, LIMIT_ORDER_PROGRAM } from '../../protocols/jupiter-limit-order/program.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { CountedMetrics } from '../../testing/counted-metrics.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { SvmChain } from '../../testing/svm/chain.ts';
import type { PlacedLimit } from '../../testing/program-orders/order-market.ts';
import type { TestNetwork } from '../../testing/svm/network.ts';
import { openForEach } from '../../testing/opened.ts';
import { KeeperMarket } from '../../testing/program-orders/keeper-market.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { InterruptedCalls } from '../../testing/waiting-orders/interrupted.ts';

const [USDC, JUP] = [getGenesisToken('USDC').mint, getGenesisToken('JUP').mint];
const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');

describe('ProgramOrderKeeper', () => {
  it('fills limit orders that were there before and that come later, and charges their wallets what it costs', async () => {
    const { on, newLimit } = await openMarket();
    const metrics = new CountedMetrics();
    on.metrics = metrics;
    const [first, second] = [await newLimit(99n), await newLimit(99n)];
    const gas = on.fills.lamports(on.keeper);
    await on.start();
    await on.runUntil(() => !on.isOpen(first) && !on.isOpen(second));
    const third = await newLimit(99n);
    on.market.chain.publish([third.address]);
    await on.runUntil(() => !on.isOpen(third));
    await on.pass(3);
    const spent = gas - on.fills.lamports(on.keeper);
    await expect.poll(async () => (await on.gasOf(first.maker)).inAll).toBe(spent);
    expect(metrics.countsOf('sluice_program_orders_transactions_total')).toEqual({
      'limit-order fill success': 3,
    });
    expect(on.defects).toEqual([]);
    await on.closeAll();
  });

  it('fills a limit order once the price reaches it, and does not try it before', async () => {
    const { on, newLimit } = await openMarket();
    const order = await newLimit(110n);
    on.market.chain.publish([order.address]);
    await on.start();
    await on.pass(200);
    expect(on.market.chain.sent).toBe(0);
    expect(on.isOpen(order)).toBe(true);
    // Somebody buys the input, so that it becomes dearer.
    await on.move(JUP, USDC, 12n);
    await on.runUntil(() => !on.isOpen(order));
    expect(on.tokensOf(order.maker, JUP)).toBe(order.taking - (order.taking + 999n) / 1_000n);
    await on.closeAll();
  });

  it('fills each cycle of a DCA order when it is due by the clock of the network, and closes the order with the last one', async () => {
    const { on, newDca } = await openMarket();
    const order = newDca(3n);
    await on.start();
    for (let cycle = 1n; cycle <= 3n; cycle++) {
      await on.runUntil(() => (cycle === 3n ? !on.isOpen(order) : on.dca(order).inUsed === cycle * CYCLE));
      await on.pass(20);
      if (cycle < 3n) expect(on.dca(order).inUsed).toBe(cycle * CYCLE);
      on.passSeconds(60n);
    }
    expect(on.tokensOf(order.user, JUP)).toBeGreaterThan(0n);
    expect(on.tokensOf(on.dcaKeeper.address, USDC)).toBe(0n);
    await on.closeAll();
  });

  it('leaves DCA orders alone without a key that may fill them, and is healthy all the same', async () => {
    const { on, newDca, newLimit } = await openMarket();
    const [order, limit] = [newDca(3n), await newLimit(99n)];
    const { keeper } = await on.start({ dcaKeeper: on.fills.gasWallet });
    await on.runUntil(() => !on.isOpen(limit));
    expect(on.dca(order).inUsed).toBe(0n);
    expect(keeper.unhealthy()).toBeNull();
    // The keys are changed while it runs.
    const { address } = DCA_FEE_AUTHORITY;
    const data = encodeDcaFeeAuthority({ admin: on.keeper, keepers: [on.keeper] });
    on.market.network.setData(address, DCA_PROGRAM, data);
    on.market.chain.publish([address]);
    await on.runUntil(() => on.dca(order).inUsed === CYCLE);
    await on.closeAll();
  });

  it('cancels a limit order that has expired, for its maker', async () => {
    const { on, newLimit } = await openMarket();
    const order = await newLimit(200n, { expiredAt: on.now() + 60n });
    const held = on.tokensOf(order.maker, USDC);
    await on.start();
    await on.pass(10);
    expect(on.isOpen(order)).toBe(true);
    on.passSeconds(60n);
    await on.runUntil(() => !on.isOpen(order));
    expect(on.tokensOf(order.maker, USDC)).toBe(held + order.making);
    await on.closeAll();
  });

  it('cancels expired orders of all wallets for no more in a day than one wallet may cost, so that gas is left for fills', async () => {
    const { on, newLimit } = await openMarket();
    for (const owner of [on.keeper, LIMIT_ORDER_FEE]) on.fills.openAta(owner, JUP);
    on.limits = { perWallet: 20_000n, inAll: 30_000n };
    const dust = { inputMint: USDC, outputMint: JUP, making: 1n, taking: 1n, expiredAt: on.now() + 5n };
    const expiring = Array.from({ length: 8 }, () => on.placeLimit(dust));
    on.passSeconds(5n);
    await on.start();
    await on.pass(20);
    expect(expiring.filter((each) => on.isOpen(each))).toHaveLength(4);
    const order = await newLimit(99n);
    on.market.chain.publish([order.address]);
    await on.runUntil(() => !on.isOpen(order));
    await on.closeAll();
  });

  it('does nothing while another keeper has the lease, and takes over when it is free', async () => {
    const { on, newLimit } = await openMarket();
    const order = await newLimit(99n);
    let holder: string | null = 'another';
    const leases = {
      leaseMs: 10_000,
      claim: async () => holder,
      take: async () => null,
      keep: async () => new Map(),
      holder: async () => holder,
      release: async () => undefined,
    };
    const { keeper } = await on.start({ leases });
    await on.pass(20);
    expect(on.isOpen(order)).toBe(true);
    expect(keeper.unhealthy()).toBeNull();
    holder = null;
    await on.runUntil(() => !on.isOpen(order));
    await on.closeAll();
  });

  it('passes over accounts of the programs that are no orders', async () => {
    const { on, newLimit } = await openMarket();
    const order = await newLimit(99n);
    const { network } = on.market;
    network.setData(network.newAddress(), LIMIT_ORDER_PROGRAM, new Uint8Array(LIMIT_ORDER_SIZE));
    await on.start();
    await on.runUntil(() => !on.isOpen(order));
    expect(on.outages).toEqual([]);
    await on.closeAll();
  });
});

describe('a keeper that is killed at any of its calls', () => {
  it.each(['before', 'after'] as const)(
    '%s the call, and a second one, fill each order once',
    async (when) => {
      for (let at = 1, isReached = true; isReached; at++) {
        const { on, newLimit, newDca } = await openMarket();
        const [limit, dca] = [await newLimit(99n), newDca(3n)];
        // What was charged for a transaction that may have been sent stays charged.
        on.limits = { perWallet: 1_000_000_000n, inAll: 1_000_000_000n };
        const _charged = (await on.gasOf(limit.maker)).inAll;
        const calls = new InterruptedCalls(at, { kind: 'killed', when });
        const tokens = on.tokensOf(on.keeper, JUP);
        const gas = on.fills.lamports(on.keeper);
        const first = await on.start({ calls });
        await on.pass(10);
        isReached = calls.wasReached;
        on.kill(first);
        const second = await on.start();
        await on.runUntil(() => !on.isOpen(limit) && on.dca(dca).inUsed === CYCLE);
        await on.pass(20);
        expect(on.dca(dca).inUsed).toBe(CYCLE);
        expect(on.tokensOf(limit.maker, JUP)).toBe(limit.taking - (limit.taking + 999n) / 1_000n);
        expect(on.tokensOf(on.keeper, JUP)).toBeGreaterThanOrEqual(tokens);
        const charged = (await on.gasOf(limit.maker)).inAll;
        expect(gas - on.fills.lamports(on.keeper)).toBeLessThanOrEqual(Number(charged));
        on.kill(second);
      }
    },
  );
});

describe('orders that cannot be filled', () => {
  it('are put off with growing pauses, and stop no others', async () => {
    const { on, newLimit, newDca } = await openMarket();
    const dust = on.placeLimit({ inputMint: USDC, outputMint: JUP, making: 100n, taking: 1n });
    const [unpaid, frozen] = [await newLimit(99n, {}, { opensOutput: false }), await newLimit(99n)];
    on.fills.setTokens(
      on.fills.ata(frozen.maker, JUP),
      { owner: frozen.maker, mint: JUP, amount: 0n },
      'frozen',
    );
    const { network } = on.market;
    const unknown = { ...on.limit(dust), inputMint: network.newAddress() };
    network.setData(network.newAddress(), LIMIT_ORDER_PROGRAM, encodeLimitOrder(unknown));
    const [limit, dca] = [await newLimit(99n), newDca(3n)];
    await on.start();
    await on.runUntil(() => !on.isOpen(limit) && on.dca(dca).inUsed === CYCLE);
    await on.pass(100);
    for (const order of [dust, unpaid, frozen]) expect(on.isOpen(order)).toBe(true);
    expect((await on.gasOf(unpaid.maker)).byWallet).toBe(0n);
    // The order is filled once its maker has opened the account that is to be paid.
    on.fills.openAta(unpaid.maker, JUP);
    await on.runUntil(() => !on.isOpen(unpaid));
    expect(on.defects).toEqual([]);
    await on.closeAll();
  });

  it('are filled over the pools of transactions that failed when there are no others', async () => {
    const { on, newLimit } = await openMarket((network) => new FailingChain(network));
    const order = await newLimit(99n);
    const chain = on.market.chain as FailingChain;
    failFills(on, order);
    await on.start();
    await on.passMinutes(() => chain.sent === 6);
    expect(on.isOpen(order)).toBe(true);
    chain.failsNext = () => () => undefined;
    await on.passMinutes(() => !on.isOpen(order));
    await on.closeAll();
  });

  it('cost the fee of a dozen transactions in two hours at most, if each one fails on chain and none in simulation', async () => {
    const { on, newLimit } = await openMarket((network) => new FailingChain(network));
    const order = await newLimit(99n);
    const chain = on.market.chain as FailingChain;
    failFills(on, order);
    await on.start();
    let minutes = 0;
    await on.passMinutes(() => ++minutes >= 120);
    expect(on.isOpen(order)).toBe(true);
    expect(chain.sent).toBeGreaterThan(5);
    expect(chain.sent).toBeLessThanOrEqual(14);
    expect((await on.gasOf(order.maker)).byWallet).toBe(5_000n * BigInt(chain.sent));
    await on.closeAll();
  });

  it('wait when the budget of their wallet is spent', async () => {
    const { on, newLimit } = await openMarket();
    on.limits = { perWallet: 1_000n, inAll: 1_000_000_000n };
    const order = await newLimit(99n);
    await on.start();
    await on.pass(50);
    expect(on.isOpen(order)).toBe(true);
    expect(on.market.chain.sent).toBe(0);
    await on.closeAll();
  });
});

/** What a cycle trades, and what a limit order sells. */
const CYCLE = 50_000_000n;

/** A chain on which something happens between the simulation of a transaction and its block, which can be undone. */
class FailingChain extends SvmChain {
  failsNext: () => () => void = () => () => undefined;

  override async send(transaction: Uint8Array): Promise<string> {
    const undo = this.failsNext();
    const signature = await super.send(transaction);
    undo();
    return signature;
  }
}

/** Lets every fill of an order fail on chain, as if the owner of a pool took its price back each time. */
function failFills(on: KeeperMarket, { maker, outputMint }: PlacedLimit): void {
  const account = on.fills.ata(maker, outputMint);
  const tokens = { owner: maker, mint: outputMint, amount: 0n };
  (on.market.chain as FailingChain).failsNext = () => {
    on.fills.setTokens(account, tokens, 'frozen');
    return () => on.fills.setTokens(account, tokens);
  };
  const failure = { code: 6_001, program: AGGREGATOR_PROGRAM, message: 'SlippageToleranceExceeded' };
  Object.assign(on.market, { describeFailure: () => failure });
}

async function openMarket(createChain?: (network: TestNetwork) => SvmChain) {
  const on = await KeeperMarket.openOver(opened.store, createChain);
  const quoted = await on.quote(USDC, JUP, CYCLE);
  /** A limit order that sells USDC for so many percent of what the market pays now. */
  const newLimit = async (
    percent: bigint,
    terms: { readonly expiredAt?: bigint } = {},
    options: Parameters<KeeperMarket['placeLimit']>[1] = {},
  ) =>
    on.placeLimit(
      { inputMint: USDC, outputMint: JUP, making: CYCLE, taking: (quoted * percent) / 100n, ...terms },
      options,
    );
  const newDca = (cycles: bigint) =>
    on.openDca({
      inputMint: USDC,
      outputMint: JUP,
      inAmount: cycles * CYCLE,
      inAmountPerCycle: CYCLE,
      cycleFrequency: 60n,
    });
  return { on, newLimit, newDca };
}
