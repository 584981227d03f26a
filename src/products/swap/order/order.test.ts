import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../testing/random.ts';
import { openTestSwap, type TestSwap } from '../../../testing/genesis-market/swap.ts';
import { type Address, address } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import { ordinaryTokenAccount } from '../../../testing/token-account.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import type { OrderResponse } from '../endpoints/order.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';

let swap: TestSwap;

describe('orderSwap', () => {
  beforeAll(setUp);

  it('moves exactly the quoted amounts', async () => {
    const mint = fc.constantFrom(...swap.market.genesis.tokens.map((token) => token.mint));
    const { address: wallet } = swap.wallet;
    const share = fc.integer({ min: 1, max: 1_000_000 });
    let swapped = 0;
    const property = fc.asyncProperty(mint, mint, share, async (inputMint, outputMint, millionths) => {
      const held = swap.holding(wallet, inputMint);
      const amount = (held * BigInt(millionths)) / 10_000_000n;
      fc.pre(inputMint !== outputMint && amount > 1_000n);
      const orderOf = (sold: bigint) => swap.order({ inputMint, outputMint, amount: sold.toString() });
      const order = await orderOf(amount).catch((error: unknown) => {
        if (!(error instanceof SwapRefused && error.reason.kind === 'unquoted')) throw error;
        return null;
      });
      // Only what is worth less than an atom is not quoted, so that 1,000 times as much brings less than 1,000.
      if (order === null) expect(total(await orderOf(amount * 1_000n))).toBeLessThan(1_000n);
      if (order === null) return;
      const before = swap.holding(wallet, outputMint);
      const result = await swap.execute(order);
      expect(result).toMatchObject({
        status: 'Success',
        code: 0,
        totalInputAmount: order.inAmount,
        inputAmountResult: order.inAmount,
        totalOutputAmount: order.outAmount,
        outputAmountResult: order.outAmount,
      });
      expect(result.swapEvents).toHaveLength(order.routePlan.length);
      const costs = swap.costsOf(order);
      const [ofInput, ofOutput] = [inputMint, outputMint].map((each) =>
        each === WRAPPED_SOL_MINT ? costs : 0n,
      );
      expect(held - swap.holding(wallet, inputMint)).toBe(amount + (ofInput ?? 0n));
      expect(swap.holding(wallet, outputMint) - before).toBe(total(order) - (ofOutput ?? 0n));
      swapped++;
    });
    const suite = { cases: 150, short: 50, seed: SEED, against: 'the programs' };
    await assertProperty(property, suite);
    expect(swapped).toBeGreaterThan((2 / 3) * countCases(suite));
  });

  async function setUp(): Promise<void> {
    swap = await openTestSwap();
  }
});

describe('the answer to an order', () => {
  beforeEach(async () => {
    swap = await openTestSwap();
  });

  it('has the price, the terms and the costs of the swap', async () => {
    const order = await swap.order({ ...SOL_TO_USDC, amount: '100000000000' });
    const { address: wallet } = swap.wallet;
    expect(order).toMatchObject({
      mode: 'ultra',
      router: 'metis',
      swapType: 'aggregator',
      swapMode: 'ExactIn',
      gasless: false,
      inAmount: '100000000000',
      taker: wallet,
      feeMint: WRAPPED_SOL_MINT,
      feeBps: 0,
      platformFee: { amount: '0', feeBps: 0, feeMint: WRAPPED_SOL_MINT },
      signatureFeeLamports: 5_000,
      prioritizationFeeLamports: 0,
      rentFeeLamports: 0,
      signatureFeePayer: wallet,
      prioritizationFeePayer: wallet,
      rentFeePayer: wallet,
      lastValidBlockHeight: (swap.market.chain.blockHeight('confirmed') + 150n).toString(),
    });
    expect(order.inUsdValue).toBeGreaterThan(19_800);
    expect(order.inUsdValue).toBeLessThan(20_200);
    expect(Math.abs((order.outUsdValue ?? 0) / Number(order.outAmount) / 1e-6 - 1)).toBeLessThan(1e-9);
    expect(order.priceImpactPct).toMatch(/^-0\.\d+$/);
    expect(Number(order.priceImpactPct)).toBe((order.outUsdValue ?? 0) / (order.inUsdValue ?? 0) - 1);
    expect(order.priceImpact).toBe(Number(order.priceImpactPct) * 100);
    expect(order.swapUsdValue).toBe(order.inUsdValue);
    const slippage = BigInt(order.slippageBps);
    expect(BigInt(order.otherAmountThreshold)).toBe((total(order) * (10_000n - slippage) + 9_999n) / 10_000n);
    expect(slippage).toBeGreaterThanOrEqual(20n);
    const { signatures, message } = parseTransaction(Buffer.from(order.transaction ?? '', 'base64'));
    expect(signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true);
    expect(message.version).toBe(0);
    for (const { swapInfo } of order.routePlan) {
      expect(swapInfo.feeAmount).toMatch(/^[1-9]\d*$/);
      expect([swapInfo.inputMint, swapInfo.outputMint]).toContain(swapInfo.feeMint);
    }
  });

  it('is a price only without a taker, and the same price', async () => {
    const price = await swap.order({ ...SOL_TO_USDC, taker: '' });
    expect(price).toMatchObject({
      transaction: null,
      taker: null,
      gasless: false,
      mode: 'ultra',
      signatureFeePayer: null,
      prioritizationFeePayer: null,
      rentFeePayer: null,
    });
    expect(price).not.toHaveProperty('lastValidBlockHeight');
    expect(price.outAmount).toBe((await swap.order(SOL_TO_USDC)).outAmount);
    await expect(
      swap.execute({ ...(await swap.order(SOL_TO_USDC)), requestId: price.requestId }),
    ).rejects.toThrow('there is no order');
  });

  it.each([USDC, PYUSD, BERN])(
    'counts the rent of an account that has to be created for %s',
    async (outputMint) => {
      const wallet = swap.newWallet(10_000_000_000n);
      const order = await swap.order({ ...SOL_TO_USDC, outputMint, taker: wallet.address });
      const result = await swap.execute(order, [wallet]);
      expect(result).toMatchObject({
        code: 0,
        totalInputAmount: '1000000000',
        totalOutputAmount: order.outAmount,
      });
      const program = swap.market.network.account(outputMint)?.owner as Address;
      const opened = swap.market.network.account(
        deriveAssociatedTokenAddress(wallet.address, outputMint, program),
      );
      expect(BigInt(order.rentFeeLamports)).toBeGreaterThanOrEqual(
        computeRentExemptMinimum(opened?.data.length ?? 0),
      );
      const spent = 10_000_000_000n - swap.holding(wallet.address, WRAPPED_SOL_MINT);
      expect(spent).toBe(1_000_000_000n + swap.costsOf(order));
    },
  );

  it('has the requested slippage', async () => {
    const order = await swap.order({ ...SOL_TO_USDC, slippageBps: '0' });
    expect(order).toMatchObject({ mode: 'manual', slippageBps: 0, otherAmountThreshold: order.outAmount });
  });

  it('has more slippage when the price has moved recently', async () => {
    const whale = swap.newWallet(10n ** 15n);
    const calm = await swap.order(SOL_TO_USDC);
    for (let trade = 0; trade < 4; trade++) {
      const order = await swap.order({ ...SOL_TO_USDC, amount: '5000000000000', taker: whale.address });
      expect(await swap.execute(order, [whale])).toMatchObject({ code: 0 });
    }
    const moved = await swap.order(SOL_TO_USDC);
    expect(moved.slippageBps).toBeGreaterThan(calm.slippageBps + 10);
  });

  it('lists the routers when all are excluded', async () => {
    await expect(swap.order({ ...SOL_TO_USDC, excludeRouters: 'metis' })).rejects.toThrow(
      'excludeRouters leaves no router; those that quote here are: metis',
    );
    expect(await swap.order({ ...SOL_TO_USDC, excludeRouters: 'jupiterz,okx' })).toMatchObject({
      mode: 'manual',
    });
  });

  it('reports a mint that no pool trades', async () => {
    const unknown = swap.market.network.newAddress();
    await expect(swap.order({ ...SOL_TO_USDC, outputMint: unknown })).rejects.toThrow(
      `no pool trades outputMint ${unknown}`,
    );
  });
});

describe('a wallet that lacks something', () => {
  beforeAll(async () => {
    swap = await openTestSwap();
  });

  it.each([
    ['too few tokens', USDC_TO_SOL, 10_000_000_000n, 1, 'Insufficient funds'],
    ['too little SOL to swap', SOL_TO_USDC, 999_999_999n, 1, 'Insufficient funds'],
    ['too little SOL for gas', SOL_TO_USDC, 1_000_004_999n, 2, 'Top up 0.004078561 SOL for gas'],
    ['too little SOL for rent', SOL_TO_USDC, 1_000_005_000n + RENT, 2, 'Top up 0.00203928 SOL for gas'],
    ['no account at all', SOL_TO_USDC, 0n, 1, 'Insufficient funds'],
  ])('gets a price and the reason: %s', async (_name, query, lamports, errorCode, errorMessage) => {
    const { address: taker } = swap.newWallet(lamports);
    const order = await swap.order({ ...query, taker });
    expect(order).toMatchObject({ transaction: '', errorCode, errorMessage, error: errorMessage });
    expect(order.details).toMatch(/ /);
    expect(order).not.toHaveProperty('lastValidBlockHeight');
    expect(total(order)).toBeGreaterThan(0n);
  });

  it('refuses a swap or a priority fee that would leave less than a wallet must hold', async () => {
    const [sold, least] = [1_000_000n, 890_880n];
    const wallet = swap.newWallet(least + 5_000n + 100n);
    for (const mint of [USDC, USDT]) {
      const data = ordinaryTokenAccount({ mint, owner: wallet.address, amount: sold });
      const account = deriveAssociatedTokenAddress(wallet.address, mint, TOKEN_PROGRAM);
      swap.market.network.setData(account, TOKEN_PROGRAM, data);
    }
    const query = { inputMint: USDC, outputMint: USDT, amount: sold.toString(), taker: wallet.address };
    const dear = await swap.order({ ...query, priorityFeeLamports: '150' });
    expect(dear).toMatchObject({ transaction: '', errorCode: 2 });
    const cheap = await swap.order({ ...query, priorityFeeLamports: '100' });
    expect(await swap.execute(cheap, [wallet])).toMatchObject({
      code: 0,
      totalOutputAmount: cheap.outAmount,
    });
  });

  it('builds a transaction for a wallet with the least sufficient amount', async () => {
    // The two created accounts, and the minimum that must remain in the wallet, or nothing.
    const wallet = swap.newWallet(1_000_005_000n + 2n * RENT);
    const order = await swap.order({ ...SOL_TO_USDC, taker: wallet.address });
    expect(await swap.execute(order, [wallet])).toMatchObject({ code: 0, totalInputAmount: '1000000000' });
    expect(swap.holding(wallet.address, WRAPPED_SOL_MINT)).toBe(RENT);
  });
});

const SEED = 20_261_122;
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const USDT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');
const PYUSD = address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo');
const BERN = address('CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo');
const RENT = 2_039_280n;
const SOL_TO_USDC = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
const USDC_TO_SOL = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: '50000000' };

const total = (order: OrderResponse) => BigInt(order.outAmount);
