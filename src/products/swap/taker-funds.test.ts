import { beforeEach, describe, expect, it } from 'vitest';
import { fundMaker, newMaker, SOL, type TestMakerSwap, USDC } from '../../../test/genesis-market/makers.ts';
import {
  BUY,
  DEPTH,
  HELD,
  MAKER,
  MAKER_ID,
  openOneMakerSwap,
  SELL,
  streamBook,
} from '../../../test/genesis-market/one-maker.ts';
import {
  type Behaviour,
  type MemoryRecords,
  signing,
  silent,
  type TestMakers,
} from '../../../test/makers.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { associatedTokenAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeTokenAccount } from '../../solana/programs/token/account.ts';
import type { ExecuteResponse } from './execution/execute-schema.ts';
import type { OrderResponse } from './endpoints/order-schema.ts';
import type { Query } from './query.ts';

const AMOUNT = BigInt(BUY.amount);

let makers: TestMakers;
let records: MemoryRecords;
let swap: TestMakerSwap;
let taker: Keypair;

beforeEach(async () => {
  ({ swap, makers, records } = await openOneMakerSwap());
  taker = swap.newWallet(10_000_000_000n);
  holds(taker, AMOUNT);
});

function usdcOf(owner: Address): Address {
  return associatedTokenAddress(owner, USDC.mint, TOKEN_PROGRAM);
}

function holds(wallet: Keypair, amount: bigint): void {
  fundMaker(swap.market, wallet, USDC, amount);
}

function keepsLamports(wallet: Keypair, lamports: bigint): void {
  swap.market.network.setAccount(wallet.address, {
    lamports,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: 0n,
  });
}

/** Another owner, or frozen. */
function changesAccount(fields: { owner?: Address; state?: 'frozen' }): void {
  const data = encodeTokenAccount({
    mint: USDC.mint,
    owner: fields.owner ?? taker.address,
    amount: AMOUNT,
    delegate: null,
    state: fields.state ?? 'initialized',
    nativeReserve: null,
    delegatedAmount: 0n,
    closeAuthority: null,
    extensions: [],
  });
  swap.market.network.setData(usdcOf(taker.address), TOKEN_PROGRAM, data);
}

function order(query: Query, wallet = taker): Promise<OrderResponse> {
  return swap.order({ ...query, taker: wallet.address });
}

function execute(given: OrderResponse, wallet = taker): Promise<ExecuteResponse> {
  return swap.execute(given, [wallet]);
}

/** Does something while the maker has the swap before it, then has the network tell of it; never signs. */
function during(act: () => void, wallet = taker): Behaviour {
  return () => {
    act();
    swap.market.chain.publish([wallet.address, usdcOf(wallet.address)]);
    return null;
  };
}

function taken(): readonly bigint[] {
  return [SOL, USDC].map(({ mint }) => swap.reservations.taken(MAKER_ID, mint));
}

describe('a taker that cannot pay when it executes', () => {
  it.each([
    ['moved the tokens away', BUY, () => holds(taker, AMOUNT - 1n)],
    ['closed the token account', BUY, () => keepsLamports({ address: usdcOf(taker.address) } as Keypair, 0n)],
    ['has the token account frozen', BUY, () => changesAccount({ state: 'frozen' })],
    ['gave the token account away', BUY, () => changesAccount({ owner: MAKER.address })],
    ['has no SOL left for the fee', BUY, () => keepsLamports(taker, 0n)],
    ['has less SOL left than it sells', SELL, () => keepsLamports(taker, 999_999_999n)],
  ])('has no maker asked where it %s', async (_, query, act) => {
    makers.connect(MAKER_ID, silent);
    const given = await order(query);
    act();
    const answer = await execute(given);
    expect(answer).toMatchObject({
      status: 'Failed',
      code: -2004,
      error: expect.stringMatching(/would fail now/),
    });
    expect(makers.events).toEqual([]);
    expect(taken()).toEqual([0n, 0n]);
    expect(records.rows.size).toBe(0);
  });

  it('may execute the same order once it can pay', async () => {
    const given = await order(BUY);
    holds(taker, 0n);
    expect(await execute(given)).toMatchObject({ code: -2004 });
    holds(taker, AMOUNT);
    expect(await execute(given)).toMatchObject({ status: 'Success' });
  });

  it('has no maker asked for what would run out of blocks before the maker has to answer', async () => {
    makers.connect(MAKER_ID, silent);
    const given = await order(BUY);
    swap.market.chain.pass(126n);
    expect(await execute(given)).toMatchObject({ code: -2003, error: expect.stringMatching(/block/) });
    expect(makers.events).toEqual([]);
  });
});

describe('a taker that spends the same tokens twice', () => {
  it('reserves inventory for what it owns, however many orders it executes', async () => {
    makers.connect(MAKER_ID, silent);
    const orders = await Promise.all(Array.from({ length: 4 }, () => order(BUY)));
    const answers = await Promise.all(orders.map((each) => execute(each)));
    expect(makers.offered).toHaveLength(1);
    expect(answers.map(({ code }) => code).sort()).toEqual([-2003, -2004, -2004, -2004]);
    const refused = answers.filter(({ code }) => code === -2004);
    for (const { error } of refused) expect(error).toMatch(/open swaps of the taker/);
  });

  it('does so whichever makers the orders lead to', async () => {
    const other = newMaker('other');
    for (const token of [SOL, USDC]) fundMaker(swap.market, other, token, 1_000_000_000_000n);
    makers.connect(MAKER_ID, silent);
    makers.connect(`of ${other.address}`, silent);
    const first = await order(BUY);
    makers.stream(other, { base: SOL, quote: USDC }, [], [{ price: 40_000_000n, volume: DEPTH }]);
    const second = await order(BUY);
    expect([first, second].map(({ maker }) => maker)).toEqual([MAKER.address, other.address]);
    await Promise.all([execute(first), execute(second)]);
    expect(makers.offered).toHaveLength(1);
  });

  it('may have several swaps open at once that it can all pay', async () => {
    holds(taker, 3n * AMOUNT);
    const orders = await Promise.all([1, 2, 3].map(() => order(BUY)));
    const answers = await Promise.all(orders.map((each) => execute(each)));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('may go on at once after a swap, whatever has landed since', async () => {
    holds(taker, 2n * AMOUNT);
    const [first, second] = [await order(BUY), await order(BUY)];
    // The maker takes its time with the second until the first has landed.
    let landed: Promise<ExecuteResponse> | null = null;
    makers.connect(MAKER_ID, (offered) => {
      landed ??= execute(second);
      return signing(MAKER)(offered);
    });
    expect(await execute(first)).toMatchObject({ code: 0 });
    expect(await landed).toMatchObject({ code: 0 });
  });
});

describe('a taker whose tokens go while the maker has the swap before it', () => {
  it.each([
    ['some of the tokens', BUY, () => holds(taker, AMOUNT - 1n)],
    ['the SOL for the fee', BUY, () => keepsLamports(taker, 0n)],
    ['the SOL that is sold', SELL, () => keepsLamports(taker, 999_999_999n)],
    ['the token account', BUY, () => changesAccount({ owner: MAKER.address })],
    ['the right to move them', BUY, () => changesAccount({ state: 'frozen' })],
  ])('loses the reservation, and the maker is not counted as missing: %s', async (_, query, act) => {
    makers.connect(MAKER_ID, during(act));
    const answer = await execute(await order(query));
    expect(answer).toMatchObject({ code: -2004, error: expect.stringMatching(/no longer/) });
    expect(makers.events).toEqual(['offered', expect.stringMatching(/^failed: .*no longer.*not counted/)]);
    expect(taken()).toEqual([0n, 0n]);
    expect([...records.rows.values()]).toMatchObject([
      { state: 'expired', answer: expect.stringMatching(/no longer/) },
    ]);
  });

  it('does not count when the tokens come back before the end', async () => {
    makers.connect(
      MAKER_ID,
      during(() => {
        holds(taker, 0n);
        swap.market.chain.publish([usdcOf(taker.address)]);
        holds(taker, AMOUNT);
      }),
    );
    expect(await execute(await order(BUY))).toMatchObject({ code: -2004 });
    expect(makers.events).not.toContain('missed');
  });

  it('does not count either when the network tells nothing of it', async () => {
    makers.connect(MAKER_ID, () => {
      holds(taker, 0n);
      return null;
    });
    expect(await execute(await order(BUY))).toMatchObject({ code: -2004 });
    expect(makers.events).not.toContain('missed');
    expect(taken()).toEqual([0n, 0n]);
  });

  it('does not count with a transfer of the tokens from wallet to wallet, each of which executes', async () => {
    const wallets = [taker, ...Array.from({ length: 3 }, () => swap.newWallet(10_000_000_000n))];
    const orders: OrderResponse[] = [];
    for (const wallet of wallets) {
      holds(wallet, AMOUNT);
      orders.push(await order(BUY, wallet));
      holds(wallet, 0n);
    }
    const most = { reserved: 0n };
    const answers: Promise<ExecuteResponse>[] = [];
    const next = (): void => {
      const at = answers.length;
      const [wallet, given, before] = [wallets[at], orders[at], wallets[at - 1]];
      if (wallet === undefined || given === undefined) return;
      if (before !== undefined) holds(before, 0n);
      holds(wallet, AMOUNT);
      if (before !== undefined) swap.market.chain.publish([usdcOf(before.address)]);
      answers.push(execute(given, wallet));
    };
    makers.connect(MAKER_ID, () => {
      const [reserved = 0n] = taken();
      if (reserved > most.reserved) most.reserved = reserved;
      next();
      return null;
    });
    next();
    for (let at = 0; at < wallets.length; at++) await answers[at];
    expect(makers.offered).toHaveLength(wallets.length);
    // One swap's worth, and never that of all the wallets.
    expect(most.reserved).toBe(BigInt(orders[0]?.outAmount ?? 0));
    expect(makers.events.filter((event) => event === 'missed')).toHaveLength(1);
  });
});

describe('a taker whose tokens go after the maker has signed', () => {
  /** Has the network take what is sent only when the function that is returned is called, in the order of sending. */
  function holdTransactions(): () => void {
    const { chain } = swap.market;
    const send = chain.send.bind(chain);
    const held: (() => void)[] = [];
    chain.send = (wire) =>
      new Promise((resolve) => {
        held.push(() => resolve(send(wire)));
      });
    return () => held.shift()?.();
  }

  function passesOn(wallet: Keypair): void {
    holds(wallet, 0n);
    swap.market.chain.publish([usdcOf(wallet.address)]);
  }

  /** Executes a swap that the maker signs and that waits for the network. */
  async function signedBy(wallet: Keypair): Promise<{ reserved: bigint; answer: Promise<ExecuteResponse> }> {
    holds(wallet, AMOUNT);
    const given = await order(BUY, wallet);
    const before = records.rows.size;
    const answer = execute(given, wallet);
    await expect
      .poll(() => [...records.rows.values()].filter(({ state }) => state === 'landing'))
      .toHaveLength(before + 1);
    return { reserved: BigInt(given.outAmount), answer };
  }

  const newWallets = (count: number) => Array.from({ length: count }, () => swap.newWallet(10_000_000_000n));

  it('reserves the inventory once by wallets that pass the same tokens on', async () => {
    holdTransactions();
    let one = 0n;
    for (const wallet of newWallets(5)) {
      const { reserved } = await signedBy(wallet);
      one = reserved;
      // That of the wallets before, and that of this one while it has the tokens.
      expect(taken()[0]).toBeLessThanOrEqual(2n * one);
      passesOn(wallet);
      await expect.poll(() => taken()[0]).toBe(one);
    }
    expect(makers.offered).toHaveLength(5);
  });

  it('counts in full again once its tokens are back', async () => {
    holdTransactions();
    const wallets = newWallets(2);
    for (const wallet of wallets) await signedBy(wallet);
    const [all = 0n] = taken();
    for (const wallet of wallets) passesOn(wallet);
    await expect.poll(() => taken()[0]).toBe(all / 2n);
    for (const wallet of wallets) holds(wallet, AMOUNT);
    swap.market.chain.publish(wallets.map(({ address }) => usdcOf(address)));
    await expect.poll(() => taken()[0]).toBe(all);
  });

  it('counts what its account covers beside its other signed swaps', async () => {
    holdTransactions();
    holds(taker, 2n * AMOUNT);
    const given = [await order(BUY), await order(BUY)];
    for (const each of given) execute(each);
    const [one, all] = [BigInt(given[0]?.outAmount ?? 0), 2n * BigInt(given[0]?.outAmount ?? 0)];
    await expect
      .poll(() => [...records.rows.values()].filter(({ state }) => state === 'landing'))
      .toHaveLength(2);
    const [wallet = taker] = newWallets(1);
    await signedBy(wallet);
    passesOn(wallet);
    holds(taker, AMOUNT);
    swap.market.chain.publish([usdcOf(taker.address)]);
    // One covered, and two uncovered that count as one.
    await expect.poll(() => taken()[0]).toBe(all);
    passesOn(taker);
    await expect.poll(() => taken()[0]).toBe(one);
  });

  it('does not blame a maker that declines what goes beyond all that it has signed', async () => {
    streamBook(makers, { depth: 4_000_000_000n });
    holdTransactions();
    const wallets = newWallets(2);
    for (const wallet of wallets) await signedBy(wallet);
    const [all = 0n] = taken();
    for (const wallet of wallets) passesOn(wallet);
    await expect.poll(() => taken()[0]).toBe(all / 2n);
    makers.connect(MAKER_ID, silent);
    expect(await execute(await order(BUY))).toMatchObject({ code: -2004 });
    expect(makers.events).not.toContain('missed');
  });

  it.each([
    ['does not blame the maker for a swap that lacks the inventory when all land after all', true],
    ['blames the maker for moving its inventory away all the same', false],
  ])('%s', async (_, doesLand) => {
    streamBook(makers, { depth: 4_000_000_000n });
    const land = holdTransactions();
    const wallets = newWallets(2);
    const fills = [];
    for (const wallet of wallets) fills.push(await signedBy(wallet));
    const [all = 0n] = taken();
    for (const wallet of wallets) passesOn(wallet);
    await expect.poll(() => taken()[0]).toBe(all / 2n);
    fills.push(await signedBy(taker));
    if (doesLand) for (const wallet of wallets) holds(wallet, AMOUNT);
    fundMaker(swap.market, MAKER, SOL, doesLand ? all : 0n);
    for (const { answer } of fills) {
      land();
      expect(await answer).toMatchObject({
        status: doesLand && answer !== fills[2]?.answer ? 'Success' : 'Failed',
      });
    }
    expect(makers.events.includes('missed')).toBe(!doesLand);
  });
});

describe('a maker that makes its own swap fail', () => {
  it('has missed it when its inventory is gone at the end', async () => {
    makers.connect(MAKER_ID, () => {
      fundMaker(swap.market, MAKER, SOL, 0n);
      return null;
    });
    expect(await execute(await order(BUY))).toMatchObject({ code: -2003 });
    expect(makers.events).toContain('missed');
  });

  it('has missed it too when it touches the taker’s account meanwhile', async () => {
    makers.connect(
      MAKER_ID,
      during(() => {
        fundMaker(swap.market, MAKER, SOL, 0n);
        holds(taker, AMOUNT + 1n);
      }),
    );
    expect(await execute(await order(BUY))).toMatchObject({ code: -2003 });
    expect(makers.events).toContain('missed');
  });

  it('has missed it when it signs and moves its inventory before the swap lands', async () => {
    makers.connect(MAKER_ID, (offered) => {
      fundMaker(swap.market, MAKER, SOL, 0n);
      return signing(MAKER)(offered);
    });
    expect(await execute(await order(BUY))).toMatchObject({ status: 'Failed' });
    expect(makers.events).toContain('missed');
  });

  const givesAway = (token: typeof SOL): void => {
    const data = encodeTokenAccount({
      mint: token.mint,
      owner: taker.address,
      amount: HELD,
      delegate: null,
      state: 'initialized',
      nativeReserve: token === SOL ? 2_039_280n : null,
      delegatedAmount: 0n,
      closeAuthority: null,
      extensions: [],
    });
    const account = associatedTokenAddress(MAKER.address, token.mint, TOKEN_PROGRAM);
    swap.market.network.setData(account, TOKEN_PROGRAM, data);
  };

  it.each<[string, () => void]>([
    ['closes its receiving account', () => keepsLamports({ address: usdcOf(MAKER.address) } as Keypair, 0n)],
    ['gives its receiving account away', () => givesAway(USDC)],
    ['gives its paying account away', () => givesAway(SOL)],
  ])('has missed it when it %s, whether it signs or not', async (_, act) => {
    for (const behaviour of [silent, signing(MAKER)]) {
      makers.events.length = 0;
      for (const token of [SOL, USDC]) fundMaker(swap.market, MAKER, token, HELD);
      makers.connect(MAKER_ID, (offered) => {
        act();
        return behaviour(offered);
      });
      expect(await execute(await order(BUY))).toMatchObject({ status: 'Failed' });
      expect(makers.events).toContain('missed');
    }
  });

  it('has not missed it when it was the taker who moved the tokens before the swap lands', async () => {
    makers.connect(MAKER_ID, (offered) => {
      holds(taker, 0n);
      return signing(MAKER)(offered);
    });
    expect(await execute(await order(BUY))).toMatchObject({ status: 'Failed' });
    expect(makers.events).not.toContain('missed');
    expect(taken()).toEqual([0n, 0n]);
  });
});

describe('a maker that does nothing with a swap that would have succeeded', () => {
  it('has missed it, also after the taker received more', async () => {
    makers.connect(
      MAKER_ID,
      during(() => holds(taker, 2n * AMOUNT)),
    );
    streamBook(makers);
    expect(await execute(await order(BUY))).toMatchObject({ code: -2003 });
    expect(makers.events).toContain('missed');
  });
});
