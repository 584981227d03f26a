import { getGenesisPools } from '../../../protocol/genesis/venue-genesis.ts';
import { raydiumCpmmGenesis } from '../../../protocols/raydium-cpmm/genesis/genesis.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  openSponsoredSwap,
  type SponsoredSwap,
  USDC,
  USDT,
} from '../../../testing/genesis-market/sponsored.ts';
import { AGGREGATOR_PROGRAM } from '../../../protocol/venue/aggregator-program.ts';
import type { Address } from '../../../solana/address.ts';
import { signWith } from '../../../solana/keypair.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import { readonlySigner } from '../../../solana/messages/instruction.ts';
import { encodeTransaction } from '../../../solana/messages/transaction.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import { executeSwap } from '../execution/execute.ts';
import { decodeOrder, encodeOrder, type StoredOrder } from '../../../swaps/orders/stored-order.ts';

let test: SponsoredSwap;
beforeEach(setUp);

describe('a taker without SOL', () => {
  it.each([
    ['a token, for which an account is opened', USDT],
    ['SOL', WRAPPED_SOL_MINT],
  ])('buys %s at the expense of a sponsor, who gets the gas back as a fee', async (_what, outputMint) => {
    const before = { sol: test.lamports(test.sponsor), fee: test.swap.holding(test.sponsor, USDC) };
    const feeMint = outputMint === USDT ? USDC : WRAPPED_SOL_MINT;
    const collected = () =>
      test.swap.market.network.tokenBalance(
        deriveAssociatedTokenAddress(test.sponsor, feeMint, TOKEN_PROGRAM),
      );
    const feeBefore = collected();
    const order = await test.swap.order(test.wanted(outputMint));
    expect(order).toMatchObject({ gasless: true, mode: 'ultra', router: 'metis' });
    for (const payer of [order.signatureFeePayer, order.prioritizationFeePayer, order.rentFeePayer]) {
      expect(payer).toBe(test.sponsor);
    }
    expect(order.feeBps).toBeGreaterThan(0);
    expect(order.platformFee).toMatchObject({ feeBps: 0, amount: '0' });
    expect(order.feeMint).toBe(feeMint);
    const result = await test.swap.execute(order, [test.taker]);
    expect(result).toMatchObject({ status: 'Success', totalInputAmount: order.inAmount });
    expect(result.totalOutputAmount).toBe(order.outAmount);
    const cost = before.sol - test.lamports(test.sponsor);
    expect(cost).toBe(test.swap.costsOf(order));
    const paid = collected() - feeBefore;
    const inSol = feeMint === WRAPPED_SOL_MINT ? paid : (paid * 1_000_000_000n) / priceOfSol();
    expect(inSol).toBeGreaterThanOrEqual(cost);
    // A tenth more, rounded up to a whole basis point of the swap.
    expect(inSol).toBeLessThan((cost * 12n) / 10n + 150_000n);
  });

  /** The price of one SOL in micro-dollars. */
  function priceOfSol(): bigint {
    const [pool] = test.swap.market.pools.between(WRAPPED_SOL_MINT, USDC);
    const quote = pool?.venue.quoteExactIn(
      pool.pool,
      WRAPPED_SOL_MINT,
      1_000_000_000n,
      test.swap.composed.chain.clock(),
    );
    return quote?.outAmount ?? 0n;
  }

  it('is informed of the size from which on swaps are sponsored', async () => {
    const order = await test.swap.order(test.wanted(USDT, '5000000'));
    expect(order).toMatchObject({ transaction: '', errorCode: 3, gasless: false });
    expect(order).toMatchObject({ error: 'Minimum $10.00 for gasless' });
    expect(order.details).toMatch(/^the swap is worth \$5\.00, and from \$10\.00/);
  });

  it('is informed of it too if the fee would be out of proportion', async () => {
    test = await openSponsoredSwap({ leastDollars: 1 });
    const order = await test.swap.order(test.wanted(USDT, '1100000'));
    expect(order).toMatchObject({ transaction: '', errorCode: 3 });
  });

  it('pays alone if another wallet would gain from the fee, a receiver gets the output, or a tip is paid', async () => {
    const [referrer] = test.swap.market.genesis.keys.demoWallets.slice(1);
    const referral = { referralAccount: referrer?.address ?? '', referralFee: '50' };
    const tip = { jitoTipLamports: '1000' };
    for (const option of [referral, { receiver: referrer?.address ?? '' }, tip]) {
      expect(await test.swap.order({ ...test.wanted(USDT), ...option })).toMatchObject({
        errorCode: 2,
        gasless: false,
      });
    }
  });
});

describe('a taker with some SOL', () => {
  it('pays for the swap', async () => {
    const rich = test.swap.newWallet(10_000_000n);
    test.hold(rich.address, USDC, 1_000_000_000n);
    expect(await test.swap.order({ ...test.wanted(USDT), taker: rich.address })).toMatchObject({
      gasless: false,
      feeBps: 0,
    });
  });
});

describe("a payer that is the sponsor's address", () => {
  it('is refused, so that nobody can make the sponsor pay without a fee, a minimum or a budget', async () => {
    const before = test.lamports(test.sponsor);
    const asked = test.swap.order({ ...test.wanted(USDT, '10000'), payer: test.sponsor });
    await expect(asked).rejects.toThrow(
      new SwapRefused(
        `payer must be a wallet of your own that signs, but ${test.sponsor} is the sponsor's; leave payer out to be sponsored`,
      ),
    );
    expect(test.lamports(test.sponsor)).toBe(before);
  });

  it.each([
    ['a taker', (sponsor: Address) => ({ taker: sponsor })],
    ['a taker with a payer', (sponsor: Address) => ({ taker: sponsor, payer: test.swap.wallet.address })],
    ['a taker that names itself as payer', (sponsor: Address) => ({ taker: sponsor, payer: sponsor })],
  ])('as %s gets no signature of the sponsor', async (_what, named) => {
    test.swap.market.network.setAccount(test.sponsor, {
      lamports: 20_000_000_000n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
      rentEpoch: 0n,
    });
    const query = { inputMint: WRAPPED_SOL_MINT, outputMint: USDT, amount: '1000000' };
    const order = await test.swap.order({ ...query, ...named(test.sponsor) });
    const before = test.lamports(test.sponsor);
    const answer = await test.swap.execute(order, order.gasless ? [test.swap.wallet] : []);
    expect(answer).toMatchObject({ status: 'Failed', code: -1003 });
    expect(answer.error).toContain(test.sponsor);
    expect(test.lamports(test.sponsor)).toBe(before);
  });

  it('does not make an order sponsored, because that is stored with the order', async () => {
    const order = await test.swap.order(test.wanted(USDT));
    const stored = await test.swap.composed.orders.get(order.requestId);
    expect(stored?.sponsorship).toMatchObject({ sponsor: test.sponsor });
    const { sponsorship: _, ...without } = stored as StoredOrder;
    await test.swap.composed.orders.put(without);
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Failed', code: -1003 });
    await test.swap.composed.orders.put(decodeOrder(encodeOrder(stored as StoredOrder)));
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
  });
});

describe('the value of a sponsored swap', () => {
  it('is at most what it pays out, and nothing by pools that hold a dollar', async () => {
    drain();
    test.hold(test.taker.address, PYTH, 1_000_000_000_000n);
    const order = await test.swap.order({ ...test.wanted(USDC, '1000000000000'), inputMint: PYTH });
    expect(order.inUsdValue).toBeGreaterThan(100_000_000);
    expect(order).toMatchObject({ transaction: '', errorCode: 3, gasless: false });
    expect(order.details).toMatch(/the swap is worth \$[012]\.\d\d, and from \$10\.00 on/);
  });

  it('is that of the input if no pool prices the output: the fee is then taken from the input', async () => {
    drain();
    const order = await test.swap.order(test.wanted(PYTH));
    expect(order).toMatchObject({ gasless: true, feeMint: USDC });
    const before = { sol: test.lamports(test.sponsor), fee: test.swap.holding(test.sponsor, USDC) };
    expect(await test.swap.execute(order, [test.taker])).toMatchObject({ status: 'Success' });
    const dollars = (Number(before.sol - test.lamports(test.sponsor)) * 200) / 1e9;
    expect(Number(test.swap.holding(test.sponsor, USDC) - before.fee) / 1e6).toBeGreaterThan(dollars / 2);
  });

  it('does not count if the operator takes fees in neither token', async () => {
    test.hold(test.taker.address, JUP, 1_000_000_000n);
    const query = { ...test.wanted(PYTH), inputMint: JUP };
    expect(await test.swap.order(query)).toMatchObject({ transaction: '', errorCode: 2, gasless: false });
    test = await openSponsoredSwap({ feeMints: [JUP] });
    test.hold(test.taker.address, JUP, 1_000_000_000n);
    expect(await test.swap.order(query)).toMatchObject({ gasless: true, feeMint: JUP });
    expect(await test.swap.order(test.wanted(USDT))).toMatchObject({ errorCode: 2, gasless: false });
  });

  it('is what the slippage leaves of it if the fee is taken from the output', async () => {
    test.hold(test.taker.address, JUP, 1_000_000_000n);
    const query = { ...test.wanted(USDC), inputMint: JUP };
    const order = await test.swap.order({ ...query, slippageBps: '100' });
    expect(order).toMatchObject({ gasless: true, feeMint: USDC });
    const half = await test.swap.order({ ...query, slippageBps: '5000' });
    expect(half.gasless).toBe(true);
    expect(half.feeBps).toBeGreaterThanOrEqual(2 * order.feeBps - 2);
    const all = await test.swap.order({ ...query, slippageBps: '10000' });
    expect(all).toMatchObject({ transaction: '', errorCode: 2, gasless: false });
  });

  const dollarsOf: ReadonlyMap<Address, bigint> = new Map([
    [USDC, 1_000_000n],
    [WRAPPED_SOL_MINT, 5_000_000n],
  ]);

  /**
   * Leaves about a dollar and a thousand atoms of PYTH in each of its pools, so that an atom costs a tenth of a cent.
   */
  function drain(): void {
    const { network, chain, genesis, pools } = test.swap.market;
    for (const [quote, dollar] of dollarsOf) {
      for (const { pool } of pools.between(PYTH, quote)) {
        const { vaults = [] } =
          getGenesisPools(genesis, raydiumCpmmGenesis).find(({ address }) => address === pool.address) ?? {};
        expect(vaults).toHaveLength(2);
        for (const [index, vault] of vaults.entries()) {
          const account = network.account(vault);
          if (account === null) throw new Error(`no vault ${vault}`);
          const data = Buffer.from(account.data);
          data.writeBigUInt64LE(pool.mints[index] === quote ? dollar : 1_000n, 64);
          network.setAccount(vault, { ...account, data });
          chain.publish([vault]);
        }
      }
    }
  }
});

describe('a sponsored swap whose order is not stored', () => {
  it('is not signed if it takes lamports of the sponsor, because the node that is asked would see the signature', async () => {
    const { chain } = test.swap.market;
    const messageBytes = compileMessage({
      feePayer: test.sponsor,
      blockhash: chain.recentBlockhash().bytes,
      instructions: [
        transferLamports(test.sponsor, test.taker.address, 1_000_000_000n),
        { programAddress: AGGREGATOR_PROGRAM, accounts: [readonlySigner(test.taker.address)], data: NO_DATA },
      ],
    });
    const wire = encodeTransaction([null, signWith(test.taker, messageBytes)], messageBytes);
    const asked = vi.spyOn(chain, 'signatureStatuses');
    const request = { requestId: 'forgotten', signedTransaction: Buffer.from(wire).toString('base64') };
    expect(await executeSwap(test.swap.composed, request)).toMatchObject({ kind: 'refused', code: -1 });
    expect(asked).not.toHaveBeenCalled();
  });
});

const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' as Address;
const PYTH = 'HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3' as Address;

const NO_DATA = new Uint8Array(0);

async function setUp(): Promise<void> {
  test = await openSponsoredSwap();
}
