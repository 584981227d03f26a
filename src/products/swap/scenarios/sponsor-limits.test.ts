import { beforeEach, describe, expect, it } from 'vitest';
import {
  LIMITS,
  openSponsoredSwap,
  type SponsoredSwap,
  USDC,
  USDT,
} from '../../../testing/genesis-market/sponsored.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { OrderResponse } from '../endpoints/order.ts';

let test: SponsoredSwap;
beforeEach(setUp);

describe('what a failure costs a sponsor', () => {
  it('is nothing for a concurrent second swap with the same tokens', async () => {
    const all = '1000000000';
    const orders = [
      await test.swap.order(test.wanted(USDT, all)),
      await test.swap.order(test.wanted(WRAPPED_SOL_MINT, all)),
    ];
    expect(orders).toMatchObject([{ gasless: true }, { gasless: true }]);
    const before = test.lamports(test.sponsor);
    const answers = await Promise.all(orders.map((order) => test.swap.execute(order, [test.taker])));
    expect(answers).toMatchObject([{ status: 'Success' }, { status: 'Failed', code: -1002 }]);
    expect(answers[1]?.error).toBe(
      `the sponsor does not sign: another sponsored swap of ${test.taker.address} is being executed; send this one again when that has ended`,
    );
    expect(test.swap.market.chain.sent).toBe(1);
    expect(before - test.lamports(test.sponsor)).toBe(test.swap.costsOf(orders[0] as OrderResponse));
    const again = await test.swap.execute(orders[1] as OrderResponse, [test.taker]);
    expect(again.error).toMatch(/the swap would fail now/);
    test.hold(test.taker.address, USDC, 1_000_000_000n);
    expect(await test.swap.execute(orders[1] as OrderResponse, [test.taker])).toMatchObject({
      status: 'Success',
    });
  });

  it('is not the taker’s choice: whoever sets a priority fee pays for the swap', async () => {
    const exact = { ...test.wanted(USDT), priorityFeeLamports: '5000000' };
    expect(await test.swap.order(exact)).toMatchObject({ transaction: '', errorCode: 2, gasless: false });
    const capped = await test.swap.order({ ...exact, broadcastFeeType: 'maxCap' });
    expect(capped).toMatchObject({ gasless: true, prioritizationFeeLamports: 0 });
  });

  it('is bounded, whatever others pay for priority and however the taker makes the swap fail', async () => {
    test.swap.market.chain.fees.push({ slot: 1n, microLamports: 1_000_000_000n });
    const order = await test.swap.order(test.wanted(USDT));
    expect(order.gasless).toBe(true);
    expect(order.prioritizationFeeLamports).toBeGreaterThan(90_000);
    expect(order.prioritizationFeeLamports).toBeLessThanOrEqual(100_000);
    const { chain } = test.swap.market;
    const send = chain.send.bind(chain);
    chain.send = (wire) => {
      test.hold(test.taker.address, USDC, 0n);
      return send(wire);
    };
    const before = test.lamports(test.sponsor);
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({
      status: 'Failed',
      slot: expect.any(String),
    });
    const cost = before - test.lamports(test.sponsor);
    expect(cost).toBe(test.swap.costsOf(order) - BigInt(order.rentFeeLamports));
    expect(cost).toBeLessThanOrEqual(MAX_FAILURE);
  });

  /** The most that it pays for a failed swap: two signatures, and its own bound of the priority fee. */
  const MAX_FAILURE = 110_000n;
});

describe('a sponsor', () => {
  it('signs no more within an hour than its budget has room for', async () => {
    test = await openSponsoredSwap({ limits: { ...LIMITS, perTaker: 5_000_000n } });
    const orders = [
      await test.swap.order(test.wanted(USDT)),
      await test.swap.order(test.wanted(USDT)),
    ] as const;
    expect(await test.swap.execute(orders[0], [test.taker])).toMatchObject({ status: 'Success' });
    // What a swap counts whose outcome is not known yet.
    expect(await test.budget.spend(test.taker.address, 4_010_000n)).toBeNull();
    const sent = test.swap.market.chain.sent;
    const refused = await test.swap.execute(orders[1], [test.taker]);
    expect(refused).toMatchObject({ status: 'Failed', code: -1002 });
    expect(refused.error).toMatch(
      /the sponsor does not sign: the swaps of .* within an hour, at most 5000000/,
    );
    expect(test.swap.market.chain.sent).toBe(sent);
  });

  it('counts the actual cost of a failed swap, so that cheap failures do not use up the whole budget', async () => {
    test = await openSponsoredSwap({ limits: { ...LIMITS, inAll: 20_000_000n } });
    const { chain } = test.swap.market;
    const send = chain.send.bind(chain);
    const before = test.lamports(test.sponsor);
    for (let round = 0; round < 12; round++) {
      const attacker = test.swap.newWallet(0n);
      test.hold(attacker.address, USDC, 1_000_000_000n);
      const order = await test.swap.order({ ...test.wanted(USDT), taker: attacker.address });
      expect(order).toMatchObject({ gasless: true });
      chain.send = (wire) => {
        test.hold(attacker.address, USDC, 0n);
        return send(wire);
      };
      expect(await test.swap.execute(order, [attacker])).toMatchObject({ status: 'Failed' });
      chain.send = send;
    }
    const lost = before - test.lamports(test.sponsor);
    expect(await test.budget.refusal(test.taker.address, 20_000_000n - lost)).toBeNull();
    expect(await test.budget.refusal(test.taker.address, 20_000_001n - lost)).toMatchObject({
      kind: expect.stringMatching(/^(total|taker)-limit$/),
    });
    expect(await test.swap.order(test.wanted(USDT))).toMatchObject({ gasless: true });
  });

  it('counts nothing of successful swaps whose fees covered their costs', async () => {
    for (const mint of [WRAPPED_SOL_MINT, USDT, USDT]) {
      const order = await test.swap.order(test.wanted(mint));
      expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
    }
    expect(await test.budget.refusal(test.taker.address, LIMITS.perTaker)).toBeNull();
    expect(await test.budget.refusal(test.taker.address, LIMITS.perTaker + 1n)).toMatchObject({
      kind: 'taker-limit',
      lamports: LIMITS.perTaker + 1n,
    });
  });

  it.each(['unknown', 'uncountable'] as const)(
    'that cannot count what it spends (%s) answers 503 and not that it refuses, and signs afterwards',
    async (kind) => {
      const order = await test.swap.order(test.wanted(USDT));
      let isLost = true;
      const { refusal, spend } = test.budget;
      Object.assign(test.budget, {
        refusal: async (...asked: Parameters<typeof refusal>) => (isLost ? { kind } : refusal(...asked)),
        spend: async (...asked: Parameters<typeof spend>) => (isLost ? { kind } : spend(...asked)),
      });
      await expect(test.swap.execute(order, [test.taker])).rejects.toThrow(Unavailable);
      expect(test.swap.market.chain.sent).toBe(0);
      // A taker without SOL is not told to buy some, and one with SOL pays for itself.
      await expect(test.swap.order(test.wanted(USDT))).rejects.toThrow(Unavailable);
      expect(await test.swap.order({ ...test.wanted(USDT), taker: test.swap.wallet.address })).toMatchObject({
        gasless: false,
      });
      isLost = false;
      expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
      expect(await test.swap.order(test.wanted(USDT))).toMatchObject({ gasless: true });
    },
  );

  it('does not offer what its budget has no room for', async () => {
    test = await openSponsoredSwap({ limits: { ...LIMITS, perTaker: 1_000_000n } });
    expect(await test.swap.order(test.wanted(USDT))).toMatchObject({
      transaction: '',
      errorCode: 2,
      gasless: false,
    });
    test.hold(test.taker.address, USDT, 0n);
    expect(await test.swap.order(test.wanted(USDT))).toMatchObject({ gasless: true });
  });

  it('does not sign a swap that would now fail, which costs nothing', async () => {
    const order = await test.swap.order(test.wanted(USDT));
    test.hold(test.taker.address, USDC, 1n);
    const before = test.lamports(test.sponsor);
    const result = await test.swap.execute(order, [test.taker]);
    expect(result.error).toMatch(/the sponsor does not sign: the swap would fail now/);
    expect(test.lamports(test.sponsor)).toBe(before);
    test.hold(test.taker.address, USDC, 1_000_000_000n);
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
  });

  it('signs nothing that the taker has not signed', async () => {
    const order = await test.swap.order(test.wanted(USDT));
    const lacking = await test.swap.execute(order, []);
    expect(lacking).toMatchObject({ status: 'Failed', code: -1003 });
    expect(lacking.error).toContain(test.taker.address);
    expect(lacking.error).not.toContain(test.sponsor);
  });

  it('gives the same answer to the same request, and pays once', async () => {
    const order = await test.swap.order(test.wanted(USDT));
    const answers = await Promise.all([
      test.swap.execute(order, [test.taker]),
      test.swap.execute(order, [test.taker]),
    ]);
    expect(answers[0]).toMatchObject({ status: 'Success' });
    expect(answers[1]).toEqual(answers[0]);
    expect(test.swap.holding(test.taker.address, USDC)).toBe(750_000_000n);
  });
});

async function setUp(): Promise<void> {
  test = await openSponsoredSwap();
}
