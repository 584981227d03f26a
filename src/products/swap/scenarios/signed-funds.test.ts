import { describe, expect, it } from 'vitest';
import { fundMaker, SOL } from '../../../testing/genesis-market/makers.ts';
import { BUY, MAKER, MAKER_ID, streamBook } from '../../../testing/genesis-market/one-maker.ts';
import { AMOUNT, openTakerFunds, deriveUsdcAccount } from '../../../testing/genesis-market/taker-funds.ts';
import { silent } from '../../../testing/rfq/makers.ts';
import { signedAgain } from '../../../testing/rfq/second-signature.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import type { ExecuteResponse } from '../endpoints/execute.ts';
import { openForEach } from '../../../testing/opened.ts';

const test = openForEach(openTakerFunds);

describe('a taker whose tokens leave after the maker has signed', () => {
  it('reserves the inventory once when wallets pass the same tokens on', async () => {
    holdTransactions();
    let one = 0n;
    for (const wallet of newWallets(5)) {
      const { reserved } = await signedBy(wallet);
      one = reserved;
      // The reservations of the previous wallets, and that of this one while it has the tokens.
      expect(test.reserved()[0]).toBeLessThanOrEqual(2n * one);
      passesOn(wallet);
      await expect.poll(() => test.reserved()[0]).toBe(one);
    }
    expect(test.makers.offered).toHaveLength(5);
  });

  it('counts in full again when the tokens have returned', async () => {
    holdTransactions();
    const wallets = newWallets(2);
    for (const wallet of wallets) await signedBy(wallet);
    const [all = 0n] = test.reserved();
    for (const wallet of wallets) passesOn(wallet);
    await expect.poll(() => test.reserved()[0]).toBe(all / 2n);
    for (const wallet of wallets) test.holds(wallet, AMOUNT);
    test.swap.market.chain.publish(wallets.map(({ address }) => deriveUsdcAccount(address)));
    await expect.poll(() => test.reserved()[0]).toBe(all);
  });

  it('counts what its account covers in addition to its other signed swaps', async () => {
    holdTransactions();
    test.holds(test.taker, 2n * AMOUNT);
    const given = [await test.order(BUY), await test.order(BUY)];
    for (const each of given) test.execute(each);
    const [one, all] = [BigInt(given[0]?.outAmount ?? 0), 2n * BigInt(given[0]?.outAmount ?? 0)];
    await expect
      .poll(() => [...test.records.rows.values()].filter(({ state }) => state === 'landing'))
      .toHaveLength(2);
    const [wallet = test.taker] = newWallets(1);
    await signedBy(wallet);
    passesOn(wallet);
    test.holds(test.taker, AMOUNT);
    test.swap.market.chain.publish([deriveUsdcAccount(test.taker.address)]);
    // One covered swap, and two uncovered ones that count as one.
    await expect.poll(() => test.reserved()[0]).toBe(all);
    passesOn(test.taker);
    await expect.poll(() => test.reserved()[0]).toBe(one);
  });

  it('does not blame a maker that declines what exceeds its signed fills', async () => {
    streamBook(test.makers, { depth: 4_000_000_000n });
    holdTransactions();
    const wallets = newWallets(2);
    for (const wallet of wallets) await signedBy(wallet);
    const [all = 0n] = test.reserved();
    for (const wallet of wallets) passesOn(wallet);
    await expect.poll(() => test.reserved()[0]).toBe(all / 2n);
    test.makers.connect(MAKER_ID, silent);
    expect(await test.execute(await test.order(BUY))).toMatchObject({ code: -2004 });
    expect(test.makers.events).not.toContain('missed');
  });

  it.each([
    ['does not blame the maker for a swap that lacks the inventory when all land after all', true],
    ['blames the maker for moving its inventory away all the same', false],
  ])('%s', async (_, doesLand) => {
    streamBook(test.makers, { depth: 4_000_000_000n });
    const land = holdTransactions();
    const wallets = newWallets(2);
    const fills = [];
    for (const wallet of wallets) fills.push(await signedBy(wallet));
    const [all = 0n] = test.reserved();
    for (const wallet of wallets) passesOn(wallet);
    await expect.poll(() => test.reserved()[0]).toBe(all / 2n);
    fills.push(await signedBy(test.taker));
    if (doesLand) for (const wallet of wallets) test.holds(wallet, AMOUNT);
    fundMaker(test.swap.market, MAKER, SOL, doesLand ? all : 0n);
    for (const { answer } of fills) {
      land();
      expect(await answer).toMatchObject({
        status: doesLand && answer !== fills[2]?.answer ? 'Success' : 'Failed',
      });
    }
    expect(test.makers.events.includes('missed')).toBe(!doesLand);
  });

  it('does not blame the maker either when they land by other signatures of their takers', async () => {
    streamBook(test.makers, { depth: 4_000_000_000n });
    const land = holdTransactions();
    const wallets = newWallets(2);
    for (const wallet of wallets) await signedBy(wallet);
    const [all = 0n] = test.reserved();
    for (const wallet of wallets) passesOn(wallet);
    await expect.poll(() => test.reserved()[0]).toBe(all / 2n);
    const { answer } = await signedBy(test.taker);
    for (const wallet of wallets) test.holds(wallet, AMOUNT);
    fundMaker(test.swap.market, MAKER, SOL, all);
    for (const wallet of wallets) land(wallet);
    land();
    expect(await answer).toMatchObject({ status: 'Failed' });
    expect(test.makers.events).not.toContain('missed');
  });

  it('blames the maker if what landed by another signature was covered until then', async () => {
    streamBook(test.makers, { depth: 6_000_000_000n });
    const land = holdTransactions();
    const wallets = newWallets(3);
    const [one, two, covered] = wallets as [Keypair, Keypair, Keypair];
    for (const wallet of wallets) await signedBy(wallet);
    const [all = 0n] = test.reserved();
    for (const wallet of [one, two]) passesOn(wallet);
    await expect.poll(() => test.reserved()[0]).toBe((all * 2n) / 3n);
    const { answer } = await signedBy(test.taker);
    fundMaker(test.swap.market, MAKER, SOL, all / 3n);
    for (const signAgain of [undefined, undefined, covered]) land(signAgain);
    test.swap.market.chain.publish([deriveUsdcAccount(covered.address)]);
    land();
    expect(await answer).toMatchObject({ status: 'Failed' });
    expect(test.makers.events).toContain('missed');
  });

  /** Delays all transactions until the returned function is called, which sends them in order. */
  function holdTransactions(): (signAgain?: Keypair) => void {
    const { chain } = test.swap.market;
    const send = chain.send.bind(chain);
    const held: ((signAgain?: Keypair) => void)[] = [];
    chain.send = (wire) =>
      new Promise((resolve) => {
        held.push((keypair) =>
          resolve(send(keypair === undefined ? wire : signedAgain(parseTransaction(wire), keypair))),
        );
      });
    return (signAgain) => held.shift()?.(signAgain);
  }

  function passesOn(wallet: Keypair): void {
    test.holds(wallet, 0n);
    test.swap.market.chain.publish([deriveUsdcAccount(wallet.address)]);
  }

  /** Executes a swap that the maker signs, and that waits for the network. */
  async function signedBy(wallet: Keypair): Promise<{ reserved: bigint; answer: Promise<ExecuteResponse> }> {
    test.holds(wallet, AMOUNT);
    const given = await test.order(BUY, wallet);
    const before = test.records.rows.size;
    const answer = test.execute(given, wallet);
    await expect
      .poll(() => [...test.records.rows.values()].filter(({ state }) => state === 'landing'))
      .toHaveLength(before + 1);
    return { reserved: BigInt(given.outAmount), answer };
  }

  const newWallets = (count: number) =>
    Array.from({ length: count }, () => test.swap.newWallet(10_000_000_000n));
});
