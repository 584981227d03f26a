import { describe, expect, it } from 'vitest';
import { deriveProgramFeeAccount } from '../../../../protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../../solana/address.ts';
import type { Keypair } from '../../../../solana/keypair.ts';
import { getGenesisToken } from '../../../../solana/known-tokens.ts';
import { parseTransaction } from '../../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../../solana/pda.ts';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../../solana/program-addresses.ts';
import { computeMessageFee } from '../../../../solana/programs/message-fee.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { LimitOrderDesk } from '../../../../testing/products/limit-order-desk.ts';
import type { UnsignedRequest } from '../../../../testing/products/unsigned-request.ts';
import { createNumberedAddress } from '../../../../testing/products/signing-wallets.ts';
import { TOKEN_ACCOUNT_RENT } from '../../../../transactions/build/closings.ts';

const desk = openForEach(() => LimitOrderDesk.open(), 'close');

describe('an order of the program', () => {
  it('is placed with exactly what was asked for', async () => {
    const before = desk.held(desk.maker, USDC) ?? 0n;
    const expiredAt = String(NOW + 3_600n);
    const { status, json } = await create({}, { expiredAt, slippageBps: '25' });
    expect([status, json]).toEqual([
      200,
      { requestId: expect.any(String), transaction: expect.any(String), order: expect.any(String), code: 0 },
    ]);
    expect(await desk.execute(json)).toEqual({
      status: 200,
      json: { signature: expect.any(String), status: 'Success', code: 0, order: json.order },
    });
    expect(desk.order(json.order)).toMatchObject({
      maker: desk.maker,
      inputMint: USDC,
      outputMint: JUP,
      uniqueId: 1_000n,
      originalMaking: 20_000_000n,
      originalTaking: 30_000_000n,
      making: 20_000_000n,
      taking: 30_000_000n,
      expiredAt: NOW + 3_600n,
      feeBps: 10,
      slippageBps: 25,
      createdAt: NOW,
    });
    expect(before - (desk.held(desk.maker, USDC) ?? 0n)).toBe(20_000_000n);
    expect(desk.held(json.order, USDC)).toBe(20_000_000n);
  });

  it('gives everything back when it is cancelled, to the lamport', async () => {
    const [usdc, lamports] = [desk.held(desk.maker, USDC), desk.wallets.lamports(desk.maker)];
    const order = await place();
    const cancelled = await desk.post('cancelOrder', { maker: desk.maker, order });
    const { transaction } = cancelled.json;
    expect(cancelled).toEqual({
      status: 200,
      json: { requestId: TEXT, transaction: TEXT, transactions: [transaction], code: 0 },
    });
    expect((await desk.execute(cancelled.json)).json).toMatchObject({ status: 'Success', order });
    expect(desk.order(order)).toBeNull();
    expect(desk.held(order, USDC)).toBeNull();
    expect(desk.held(desk.maker, USDC)).toBe(usdc);
    // Two transactions with one signature each; nothing competes for the accounts.
    expect(desk.wallets.lamports(desk.maker)).toBe(lamports - 10_000n);
  });

  it('sells SOL that are wrapped for it, and gives SOL back', async () => {
    emptyWrappedSol();
    const lamports = desk.wallets.lamports(desk.maker);
    const order = await place(SELLS_SOL, { makingAmount: '1000000000' });
    expect(desk.order(order)).toMatchObject({ inputMint: WRAPPED_SOL_MINT, making: 1_000_000_000n });
    expect(desk.held(desk.maker, WRAPPED_SOL_MINT)).toBeNull();
    await cancel([order]);
    expect(desk.held(desk.maker, WRAPPED_SOL_MINT)).toBeNull();
    expect(desk.wallets.lamports(desk.maker)).toBe(lamports - 10_000n);
  });

  it('sells wrapped SOL of the maker if nothing is to be wrapped', async () => {
    emptyWrappedSol();
    const wrapped = 3_000_000_000n;
    desk.wallets.give(
      desk.maker,
      WRAPPED_SOL_MINT,
      { amount: wrapped, nativeReserve: TOKEN_ACCOUNT_RENT },
      { extraLamports: wrapped },
    );
    await place({ ...SELLS_SOL, wrapAndUnwrapSol: false }, { makingAmount: '1000000000' });
    expect(desk.held(desk.maker, WRAPPED_SOL_MINT)).toBe(wrapped - 1_000_000_000n);
    emptyWrappedSol();
    const none = await create({ ...SELLS_SOL, wrapAndUnwrapSol: false }, { makingAmount: '1000000000' });
    expect(none.json.cause).toContain('Insufficient funds');
  });

  it('opens an account for what it buys, of wrapped SOL only if SOL is not to be unwrapped', async () => {
    emptyWrappedSol();
    await place({ outputMint: WRAPPED_SOL_MINT });
    expect(desk.held(desk.maker, WRAPPED_SOL_MINT)).toBeNull();
    await place({ outputMint: WRAPPED_SOL_MINT, wrapAndUnwrapSol: false });
    expect(desk.held(desk.maker, WRAPPED_SOL_MINT)).toBe(0n);
    const mint = desk.wallets.newMint({}, TOKEN_2022_PROGRAM);
    await place({ outputMint: mint });
    expect(desk.held(desk.maker, mint, TOKEN_2022_PROGRAM)).toBe(0n);
  });

  it('is paid for by a payer, who signs too, and whose rents go to the maker', async () => {
    const payer = desk.wallets.market.genesis.keys.demoWallets[1] as Keypair;
    const [own, paid] = [desk.wallets.lamports(desk.maker), desk.wallets.lamports(payer.address)];
    const { json } = await create({ payer: payer.address });
    const { message } = readTransaction(json);
    expect([message.signers, ...message.staticAccounts.slice(0, 2)]).toEqual([2, payer.address, desk.maker]);
    for (const by of [payer, desk.wallets.wallet]) {
      const missing = by === payer ? desk.maker : payer.address;
      const half = await desk.execute(json, [by]);
      expect(half).toEqual({
        status: 400,
        json: {
          error: 'invalid execute order request',
          cause: `signedTransaction lacks a valid signature of ${missing}`,
          code: 400,
        },
      });
    }
    expect((await desk.execute(json, [payer, desk.wallets.wallet])).json.status).toBe('Success');
    expect(desk.wallets.lamports(desk.maker)).toBe(own);
    expect(paid - desk.wallets.lamports(payer.address)).toBe(ORDER_RENT + TOKEN_ACCOUNT_RENT + 10_000n);
    await cancel([json.order]);
    expect(desk.wallets.lamports(desk.maker)).toBe(own + ORDER_RENT + TOKEN_ACCOUNT_RENT - 5_000n);
  });

  it('pays the rate and the account that were asked for', async () => {
    const feeAccount = desk.wallets.give(createNumberedAddress(7), JUP);
    const order = await place({ feeAccount }, { feeBps: '150' });
    expect(desk.order(order)).toMatchObject({ feeBps: 150, feeAccount });
    const ordinary = desk.order(await place());
    expect(ordinary).toMatchObject({ feeBps: 10, feeAccount: deriveProgramFeeAccount(JUP, TOKEN_PROGRAM) });
    const stable = desk.order(await place({ outputMint: getGenesisToken('USDT').mint }));
    expect(stable?.feeBps).toBe(3);
  });

  it('takes numbers where clients send them instead of text', async () => {
    const order = await place(
      { computeUnitPrice: 50_000 },
      { makingAmount: 20_000_000, slippageBps: 5, expiredAt: Number(NOW) + 60 },
    );
    expect(desk.order(order)).toMatchObject({
      making: 20_000_000n,
      slippageBps: 5,
      expiredAt: NOW + 60n,
    });
  });

  it('pays the price per compute unit that was asked for', async () => {
    for (const computeUnitPrice of ['123456', 123_456]) {
      const { message } = readTransaction((await create({ computeUnitPrice })).json);
      expect(computeMessageFee(message).price).toBe(123_456n);
    }
    for (const computeUnitPrice of ['auto', undefined]) {
      const { message } = readTransaction((await create({ computeUnitPrice })).json);
      expect(computeMessageFee(message).price).toBe(0n);
    }
  });

  it('is placed once, however often it is executed, and apart from one that is alike', async () => {
    const before = desk.held(desk.maker, USDC) ?? 0n;
    const [one, other] = [(await create()).json, (await create()).json];
    expect(one.order).not.toBe(other.order);
    const first = await desk.execute(one);
    expect(await desk.execute(one)).toEqual(first);
    expect((await desk.execute(other)).json).toMatchObject({ status: 'Success', order: other.order });
    expect(before - (desk.held(desk.maker, USDC) ?? 0n)).toBe(40_000_000n);
  });
});

describe('several orders of the program', () => {
  it('are cancelled five in a transaction, which one request id executes', async () => {
    const [usdc, lamports] = [desk.held(desk.maker, USDC), desk.wallets.lamports(desk.maker)];
    const orders: Address[] = [];
    for (let index = 0; index < 7; index++) orders.push(await place());
    const { json } = await desk.post('cancelOrders', { maker: desk.maker, orders });
    expect(json).toEqual({ requestId: TEXT, transaction: TEXT, transactions: [TEXT, TEXT], code: 0 });
    for (const transaction of json.transactions) {
      const executed = await desk.execute({ requestId: json.requestId, transaction });
      expect(executed.json).toEqual({ signature: TEXT, status: 'Success', code: 0, order: TEXT });
    }
    expect(orders.map((order) => desk.order(order))).toEqual(orders.map(() => null));
    expect(desk.held(desk.maker, USDC)).toBe(usdc);
    expect(desk.wallets.lamports(desk.maker)).toBe(lamports - 9n * 5_000n);
  });

  it('are named by one text too, and by either endpoint', async () => {
    const orders = [await place(), await place()];
    for (const [endpoint, names] of [
      ['cancelOrder', { order: orders.join(',') }],
      ['cancelOrders', { order: orders.join(', ') }],
      ['cancelOrders', { orders: orders.join(',') }],
    ] as const) {
      const { json } = await desk.post(endpoint, { maker: desk.maker, ...names });
      expect(json, endpoint).toEqual({ requestId: TEXT, transaction: TEXT, transactions: [TEXT], code: 0 });
    }
    await cancel(orders);
    expect(orders.map((order) => desk.order(order))).toEqual([null, null]);
  });

  it('are all open ones if none is named', async () => {
    const orders = [await place(), await place()];
    for (const names of [{}, { orders: null }]) {
      const { json } = await desk.post('cancelOrders', { maker: desk.maker, ...names });
      const { message } = readTransaction(json);
      for (const order of orders) expect(message.staticAccounts).toContain(order);
    }
  });

  it('of five tokens fit into a transaction that opens an account for each', async () => {
    const sold: { readonly mint: Address; readonly program: Address }[] = [];
    const orders: Address[] = [];
    for (const program of [
      TOKEN_2022_PROGRAM,
      TOKEN_PROGRAM,
      TOKEN_PROGRAM,
      TOKEN_2022_PROGRAM,
      TOKEN_PROGRAM,
    ]) {
      const mint = desk.wallets.newMint({}, program);
      desk.worth.set(mint, 5);
      const account = desk.wallets.give(desk.maker, mint, { amount: 5_000n }, { program });
      orders.push(await place({ inputMint: mint }, { makingAmount: '5000' }));
      sold.push({ mint, program });
      forget(account);
    }
    const { json } = await desk.post('cancelOrders', { maker: desk.maker, orders });
    expect(json.transactions).toHaveLength(1);
    const [transaction] = json.transactions;
    const executed = await desk.execute({ requestId: json.requestId, transaction });
    expect(executed.json).toMatchObject({ status: 'Success' });
    expect(sold.map(({ mint, program }) => desk.held(desk.maker, mint, program))).toEqual(
      sold.map(() => 5_000n),
    );
  });
});

const USDC = getGenesisToken('USDC').mint;
const JUP = getGenesisToken('JUP').mint;
const NOW = 1_800_000_000n;
const ORDER_RENT = 3_480_000n;
const TEXT = expect.any(String);
const SELLS_SOL = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC };

function create(changes: object = {}, params: object = {}) {
  return desk.post('createOrder', {
    inputMint: USDC,
    outputMint: JUP,
    maker: desk.maker,
    payer: desk.maker,
    params: { makingAmount: '20000000', takingAmount: '30000000', ...params },
    ...changes,
  });
}

async function place(changes: object = {}, params: object = {}): Promise<Address> {
  const { json } = await create(changes, params);
  expect(json).toEqual(expect.objectContaining({ code: 0, order: TEXT }));
  const executed = await desk.execute(json);
  expect(executed.json).toMatchObject({ status: 'Success' });
  return json.order;
}

async function cancel(orders: readonly Address[]): Promise<void> {
  const { json } = await desk.post('cancelOrder', { maker: desk.maker, order: orders.join(',') });
  expect((await desk.execute(json)).json).toMatchObject({ status: 'Success' });
}

function readTransaction({ transaction }: UnsignedRequest) {
  return parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
}

/** The maker has wrapped SOL in the genesis. */
function emptyWrappedSol(): void {
  forget(deriveAssociatedTokenAddress(desk.maker, WRAPPED_SOL_MINT, TOKEN_PROGRAM));
}

function forget(account: Address): void {
  const nothing = { lamports: 0n, data: new Uint8Array(), owner: SYSTEM_PROGRAM };
  desk.wallets.market.network.setAccount(account, { ...nothing, executable: false, rentEpoch: 0n });
}
