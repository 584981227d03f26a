import { describe, expect, it } from 'vitest';
import { fundMaker, createMaker, SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import { BUY, DEPTH, MAKER, MAKER_ID, SELL } from '../../../testing/genesis-market/one-maker.ts';
import { AMOUNT, openTakerFunds, deriveUsdcAccount } from '../../../testing/genesis-market/taker-funds.ts';
import { signing, silent } from '../../../testing/rfq/makers.ts';
import type { ExecuteResponse } from '../endpoints/execute.ts';
import type { OrderResponse } from '../endpoints/order.ts';
import { openForEach } from '../../../testing/opened.ts';

const test = openForEach(openTakerFunds);

describe('a taker that cannot pay at execution', () => {
  it.each([
    ['moved the tokens away', BUY, () => test.holds(test.taker, AMOUNT - 1n)],
    [
      'closed the token account',
      BUY,
      () => test.keepsLamports({ address: deriveUsdcAccount(test.taker.address) }, 0n),
    ],
    ['has the token account frozen', BUY, () => test.changesAccount({ state: 'frozen' })],
    ['gave the token account away', BUY, () => test.changesAccount({ owner: MAKER.address })],
    ['has no SOL left for the fee', BUY, () => test.keepsLamports(test.taker, 0n)],
    ['has less SOL left than it sells', SELL, () => test.keepsLamports(test.taker, 999_999_999n)],
  ])('does not reach the maker if it %s', async (_, query, act) => {
    test.makers.connect(MAKER_ID, silent);
    const given = await test.order(query);
    act();
    const answer = await test.execute(given);
    expect(answer).toMatchObject({
      status: 'Failed',
      code: -2004,
      error: expect.stringMatching(/would fail now/),
    });
    expect(test.makers.events).toEqual([]);
    expect(test.reserved()).toEqual([0n, 0n]);
    expect(test.records.rows.size).toBe(0);
  });

  it('may execute the same order when it can pay', async () => {
    const given = await test.order(BUY);
    test.holds(test.taker, 0n);
    expect(await test.execute(given)).toMatchObject({ code: -2004 });
    test.holds(test.taker, AMOUNT);
    expect(await test.execute(given)).toMatchObject({ status: 'Success' });
  });

  it('does not reach the maker if the blockhash would expire before the maker has to answer', async () => {
    test.makers.connect(MAKER_ID, silent);
    const given = await test.order(BUY);
    test.swap.market.chain.pass(126n);
    expect(await test.execute(given)).toMatchObject({ code: -2003, error: expect.stringMatching(/block/) });
    expect(test.makers.events).toEqual([]);
  });
});

describe('a taker that spends the same tokens twice', () => {
  it('reserves inventory for what it owns, however many orders it executes', async () => {
    test.makers.connect(MAKER_ID, silent);
    const orders = await Promise.all(Array.from({ length: 4 }, () => test.order(BUY)));
    const answers = await Promise.all(orders.map((each) => test.execute(each)));
    expect(test.makers.offered).toHaveLength(1);
    expect(answers.map(({ code }) => code).sort()).toEqual([-2003, -2004, -2004, -2004]);
    const refused = answers.filter(({ code }) => code === -2004);
    for (const { error } of refused) expect(error).toMatch(/open swaps of the taker/);
  });

  it('reserves no more if its orders have different makers', async () => {
    const other = createMaker('other');
    for (const token of [SOL, USDC]) fundMaker(test.swap.market, other, token, 1_000_000_000_000n);
    test.makers.connect(MAKER_ID, silent);
    test.makers.connect(`of ${other.address}`, silent);
    const first = await test.order(BUY);
    test.makers.stream(other, { base: SOL, quote: USDC }, [], [{ price: 40_000_000n, volume: DEPTH }]);
    const second = await test.order(BUY);
    expect([first, second].map(({ maker }) => maker)).toEqual([MAKER.address, other.address]);
    await Promise.all([test.execute(first), test.execute(second)]);
    expect(test.makers.offered).toHaveLength(1);
  });

  it('may have several swaps open at once if it can pay them all', async () => {
    test.holds(test.taker, 3n * AMOUNT);
    const orders = await Promise.all([1, 2, 3].map(() => test.order(BUY)));
    const answers = await Promise.all(orders.map((each) => test.execute(each)));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('may continue immediately after a swap, whatever has landed since', async () => {
    test.holds(test.taker, 2n * AMOUNT);
    const [first, second] = [await test.order(BUY), await test.order(BUY)];
    // The maker delays the second swap until the first has landed.
    let landed: Promise<ExecuteResponse> | null = null;
    test.makers.connect(MAKER_ID, (offered) => {
      landed ??= test.execute(second);
      return signing(MAKER)(offered);
    });
    expect(await test.execute(first)).toMatchObject({ code: 0 });
    expect(await landed).toMatchObject({ code: 0 });
  });
});

describe('a taker whose tokens leave while the maker has the swap', () => {
  it.each([
    ['some of the tokens', BUY, () => test.holds(test.taker, AMOUNT - 1n)],
    ['the SOL for the fee', BUY, () => test.keepsLamports(test.taker, 0n)],
    ['the SOL that is sold', SELL, () => test.keepsLamports(test.taker, 999_999_999n)],
    ['the token account', BUY, () => test.changesAccount({ owner: MAKER.address })],
    ['the right to move them', BUY, () => test.changesAccount({ state: 'frozen' })],
  ])('loses the reservation, and the maker has missed nothing: %s', async (_, query, act) => {
    test.makers.connect(MAKER_ID, test.during(act));
    const answer = await test.execute(await test.order(query));
    expect(answer).toMatchObject({ code: -2004, error: expect.stringMatching(/no longer/) });
    expect(test.makers.events).toEqual([
      'offered',
      expect.stringMatching(/^failed: .*no longer.*not counted/),
    ]);
    expect(test.reserved()).toEqual([0n, 0n]);
    expect([...test.records.rows.values()]).toMatchObject([
      { state: 'expired', answer: { reason: expect.stringMatching(/no longer/) } },
    ]);
  });

  it('does not free the reservation if the tokens return before the end', async () => {
    test.makers.connect(
      MAKER_ID,
      test.during(() => {
        test.holds(test.taker, 0n);
        test.swap.market.chain.publish([deriveUsdcAccount(test.taker.address)]);
        test.holds(test.taker, AMOUNT);
      }),
    );
    expect(await test.execute(await test.order(BUY))).toMatchObject({ code: -2004 });
    expect(test.makers.events).not.toContain('missed');
  });

  it.each([
    ['demands memos', { demandsMemos: true }],
    ['is given away', { owner: MAKER.address }],
  ])(
    'does not have the maker blamed if the account that it is paid into %s for a moment',
    async (_, fields) => {
      test.makers.connect(
        MAKER_ID,
        test.during(() => {
          test.changesAccount(fields);
          test.swap.market.chain.publish([deriveUsdcAccount(test.taker.address)]);
          test.changesAccount({});
        }),
      );
      expect(await test.execute(await test.order(SELL))).toMatchObject({
        code: -2004,
        error: expect.stringMatching(/given away, or its owner has it refuse/),
      });
      expect(test.makers.events).not.toContain('missed');
    },
  );

  it('does not free the reservation if the network publishes no change', async () => {
    test.makers.connect(MAKER_ID, () => {
      test.holds(test.taker, 0n);
      return null;
    });
    expect(await test.execute(await test.order(BUY))).toMatchObject({ code: -2004 });
    expect(test.makers.events).not.toContain('missed');
    expect(test.reserved()).toEqual([0n, 0n]);
  });

  it('reserves once when several wallets pass the same tokens on and execute a swap each', async () => {
    const wallets = [test.taker, ...Array.from({ length: 3 }, () => test.swap.newWallet(10_000_000_000n))];
    const orders: OrderResponse[] = [];
    for (const wallet of wallets) {
      test.holds(wallet, AMOUNT);
      orders.push(await test.order(BUY, wallet));
      test.holds(wallet, 0n);
    }
    const most = { reserved: 0n };
    const answers: Promise<ExecuteResponse>[] = [];
    const next = (): void => {
      const at = answers.length;
      const [wallet, given, before] = [wallets[at], orders[at], wallets[at - 1]];
      if (wallet === undefined || given === undefined) return;
      if (before !== undefined) test.holds(before, 0n);
      test.holds(wallet, AMOUNT);
      if (before !== undefined) test.swap.market.chain.publish([deriveUsdcAccount(before.address)]);
      answers.push(test.execute(given, wallet));
    };
    test.makers.connect(MAKER_ID, () => {
      const [reserved = 0n] = test.reserved();
      if (reserved > most.reserved) most.reserved = reserved;
      next();
      return null;
    });
    next();
    for (let at = 0; at < wallets.length; at++) await answers[at];
    expect(test.makers.offered).toHaveLength(wallets.length);
    // The amount of one swap, and never that of all the wallets.
    expect(most.reserved).toBe(BigInt(orders[0]?.outAmount ?? 0));
    expect(test.makers.events.filter((event) => event === 'missed')).toHaveLength(1);
  });
});
