import { deriveReferralTokenAccounts } from '../../../swaps/fees/referral-fee.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestSwap } from '../../../testing/genesis-market/swap.ts';
import { openForEach } from '../../../testing/opened.ts';
import { type Address, address } from '../../../solana/address.ts';
import { decodeComputeBudget } from '../../../solana/programs/compute-budget.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { ordinaryTokenAccount } from '../../../testing/token-account.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import type { OrderResponse } from '../endpoints/order.ts';

const swap = openForEach(() => openTestSwap());

describe('another receiver', () => {
  it('gets tokens into an account that is created for it', async () => {
    const receiver = swap.market.network.newAddress();
    const order = await swap.order({ ...SOL_TO_USDC, receiver });
    expect(order).toMatchObject({ mode: 'manual', rentFeeLamports: Number(RENT) });
    const result = await swap.execute(order);
    expect(result).toMatchObject({ totalInputAmount: order.inAmount, totalOutputAmount: order.outAmount });
    expect(swap.holding(receiver, USDC)).toBe(total(order));
  });

  it('gets SOL itself, and the rent of the account that the SOL passed through', async () => {
    const receiver = swap.market.network.newAddress();
    const order = await swap.order({ ...USDC_TO_SOL, receiver });
    expect(order.rentFeeLamports).toBe(Number(RENT));
    const result = await swap.execute(order);
    expect(result).toMatchObject({ totalInputAmount: order.inAmount, totalOutputAmount: order.outAmount });
    expect(swap.market.network.account(receiver)?.lamports).toBe(total(order) + RENT);
  });

  it('must be a wallet', async () => {
    const receiver = deriveAssociatedTokenAddress(swap.wallet.address, USDC, TOKEN_PROGRAM);
    await expect(swap.order({ ...SOL_TO_USDC, receiver })).rejects.toThrow(
      `receiver must be a wallet, but ${receiver} is a token account`,
    );
  });
});

describe('lamports at the address of an account that the swap creates', () => {
  it('are not counted as input of the swap', async () => {
    const taker = swap.newWallet(2_000_000_000n);
    const output = deriveAssociatedTokenAddress(taker.address, USDC, TOKEN_PROGRAM);
    swap.market.network.send([transferLamports(swap.market.network.payer, output, 890_880n)]);
    const order = await swap.order({ ...SOL_TO_USDC, taker: taker.address });
    expect(order.rentFeeLamports).toBe(Number(RENT));
    expect(await swap.execute(order, [taker])).toMatchObject({
      status: 'Success',
      totalInputAmount: order.inAmount,
      totalOutputAmount: order.outAmount,
    });
  });
});

describe('priority fees and tips', () => {
  beforeEach(() => {
    const fees = [1_000n, 2_000n, 3_000n, 4_000n].map((microLamports, slot) => ({
      slot: BigInt(slot),
      microLamports,
    }));
    swap.market.chain.fees.push(...fees);
  });

  it('follow what others pay, for the measured compute-unit limit', async () => {
    const order = await swap.order(SOL_TO_USDC);
    const { units, price } = budget(order);
    expect(price).toBe(3_000n);
    expect(units).toBeGreaterThan(20_000);
    expect(units).toBeLessThan(600_000);
    expect(order.prioritizationFeeLamports).toBe(Math.floor((units * 3_000) / 1e6));
  });

  it('are exactly, or at most, what the request asks for', async () => {
    const exact = await swap.order({ ...SOL_TO_USDC, priorityFeeLamports: '123456' });
    expect(exact.prioritizationFeeLamports).toBeLessThanOrEqual(123_456);
    expect(exact.prioritizationFeeLamports).toBeGreaterThanOrEqual(123_455);
    const { units, price } = budget(exact);
    expect(exact.prioritizationFeeLamports).toBe(Number((BigInt(units) * price) / 1_000_000n));
    const cap = { ...SOL_TO_USDC, broadcastFeeType: 'maxCap' };
    const below = await swap.order({ ...cap, priorityFeeLamports: '100' });
    expect(below.prioritizationFeeLamports).toBeLessThanOrEqual(100);
    expect(budget(await swap.order({ ...cap, priorityFeeLamports: '123456' })).price).toBe(3_000n);
  });

  it('may be any number of lamports, which the wallet then lacks', async () => {
    for (const name of ['priorityFeeLamports', 'jitoTipLamports']) {
      const order = await swap.order({ ...SOL_TO_USDC, [name]: '18446744073709551615' });
      expect(order).toMatchObject({ transaction: '', errorCode: 2 });
    }
  });

  it('include the tip, which is paid', async () => {
    const tipped = swap.market.pickTipAccount();
    const before = swap.market.network.account(tipped)?.lamports ?? 0n;
    const order = await swap.order({ ...SOL_TO_USDC, jitoTipLamports: '1234567' });
    expect(order.prioritizationFeeLamports).toBeGreaterThan(1_234_567);
    expect(await swap.execute(order)).toMatchObject({ code: 0, totalInputAmount: order.inAmount });
    expect((swap.market.network.account(tipped)?.lamports ?? 0n) - before).toBe(1_234_567n);
  });

  /** The compute budget of the order's transaction. */
  function budget(order: OrderResponse): { readonly units: number; readonly price: bigint } {
    const { message } = parseTransaction(Buffer.from(order.transaction ?? '', 'base64'));
    const set = message.instructions
      .filter(({ programIndex }) => message.staticAccounts[programIndex] === COMPUTE_BUDGET_PROGRAM)
      .map(({ data }) => decodeComputeBudget(data));
    const units = set.find((each) => each?.kind === 'setComputeUnitLimit');
    const price = set.find((each) => each?.kind === 'setComputeUnitPrice');
    if (units === undefined || price === undefined) throw new Error('no compute budget');
    return { units: units.units, price: price.microLamports };
  }
});

describe('a referral', () => {
  let referral: Address;

  beforeEach(() => {
    referral = swap.market.network.newAddress();
  });

  it('has its account at the address that the referral program derives', () => {
    const known = address('CK8n55Y664YjfifoVYfud8jXuSx9JV4NgVakEaRceVXu');
    const [own] = deriveReferralTokenAccounts(known, USDC, TOKEN_PROGRAM);
    expect(own).toBe('8zENcuZni4EMpoy8fyGQ6FZffX7utkDCx9fL3SySuTWn');
  });

  it.each([
    ['own account', 0, { ...SOL_TO_USDC }, WRAPPED_SOL_MINT],
    ['associated account', 1, { ...SOL_TO_USDC, inputMint: JUP, amount: '50000000' }, USDC],
  ] as const)('is paid into its %s', async (_name, place, query, mint) => {
    const account = open(place, mint);
    const order = await swap.order({ ...query, referralAccount: referral, referralFee });
    expect(order).toMatchObject({
      mode: 'manual',
      referralAccount: referral,
      feeMint: mint,
      feeBps: 85,
      platformFee: { feeBps: 85, feeMint: mint },
    });
    const result = await swap.execute(order);
    const fee = swap.market.network.tokenBalance(account);
    expect(fee.toString()).toBe(order.platformFee.amount);
    expect(fee).toBeGreaterThan(0n);
    expect(result).toMatchObject({ totalInputAmount: order.inAmount, totalOutputAmount: order.outAmount });
    const ofInput = mint === query.inputMint ? fee : 0n;
    expect(result.inputAmountResult).toBe((BigInt(order.inAmount) - ofInput).toString());
    expect(result.outputAmountResult).toBe((total(order) + fee - ofInput).toString());
  });

  it('is taken from what another receiver gets', async () => {
    const account = open(0, USDC);
    const receiver = swap.market.network.newAddress();
    const query = { inputMint: JUP, outputMint: USDC, amount: '50000000', receiver };
    const order = await swap.order({ ...query, referralAccount: referral, referralFee });
    expect(order).toMatchObject({ feeMint: USDC, feeBps: 85 });
    const result = await swap.execute(order);
    expect(result).toMatchObject({ totalInputAmount: order.inAmount, totalOutputAmount: order.outAmount });
    expect(swap.holding(receiver, USDC)).toBe(total(order));
    expect(swap.market.network.tokenBalance(account).toString()).toBe(order.platformFee.amount);
  });

  it('costs nothing without an account for the fee', async () => {
    open(0, USDC);
    const order = await swap.order({ ...SOL_TO_USDC, referralAccount: referral, referralFee });
    expect(order).toMatchObject({
      feeMint: WRAPPED_SOL_MINT,
      feeBps: 0,
      platformFee: { amount: '0', feeBps: 0 },
    });
    expect(await swap.execute(order)).toMatchObject({ code: 0, totalOutputAmount: order.outAmount });
  });

  const referralFee = '85';

  function open(place: 0 | 1, mint: Address): Address {
    const account = deriveReferralTokenAccounts(referral, mint, TOKEN_PROGRAM)[place] as Address;
    const data = ordinaryTokenAccount({
      mint,
      owner: referral,
      amount: 0n,
      nativeReserve: mint === WRAPPED_SOL_MINT ? RENT : null,
    });
    swap.market.network.setData(account, TOKEN_PROGRAM, data);
    return account;
  }
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const JUP = address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN');
const RENT = 2_039_280n;
const SOL_TO_USDC = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000' };
const USDC_TO_SOL = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: '50000000' };

const total = (order: OrderResponse) => BigInt(order.outAmount);
