import { describe, expect, it } from 'vitest';
import type { Account } from '../../../chain/accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../../solana/keypair.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { parseTransaction, signTransaction } from '../../../solana/messages/transaction.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { openForAll } from '../../../testing/opened.ts';
import { EXAMPLE_WALLET } from '../../example-values.ts';
import { RecurringDesk } from '../../../testing/products/recurring-desk.ts';
import { signRequest } from '../../../testing/products/unsigned-request.ts';

const desk = openForAll(() => RecurringDesk.open(), 'close');

const U64 = '18446744073709551615';
const USDC = getGenesisToken('USDC').mint;
const CLOSED = 'price-based orders are closed; use time-based ones, in params.time';

describe('POST createOrder', () => {
  it.each([
    [
      'a total below the minimum',
      { inAmount: 2_999_999 },
      'Order is valued at 2.99 USDC, minimum is 100.00 USDC',
    ],
    [
      'a total just below it',
      { inAmount: 99_999_999 },
      'Order is valued at 99.99 USDC, minimum is 100.00 USDC',
    ],
    [
      'orders below the minimum',
      { inAmount: 149_000_000, numberOfOrders: 3 },
      'Each order valued at 49.66 USDC, minimum is 50.00 USDC',
    ],
    ['one order', { numberOfOrders: 1 }, `numberOfOrders must be a whole number from 2 to ${U64}, got 1`],
    ['no order', { numberOfOrders: 0 }, `numberOfOrders must be a whole number from 2 to ${U64}, got 0`],
    ['nothing', { inAmount: 0 }, `inAmount must be a whole number from 1 to ${U64}, got 0`],
    [
      'cycles that are too short',
      { interval: 29 },
      'interval must be a whole number from 30 to 31536000, got 29',
    ],
    ['no interval at all', { interval: -1 }, 'interval must be a whole number from 30 to 31536000, got -1'],
    [
      'cycles that are too long',
      { interval: 31_536_001 },
      'interval must be a whole number from 30 to 31536000, got 31536001',
    ],
    [
      'a start in milliseconds',
      { startAt: 1_800_000_000_000 },
      'startAt must be a whole number from 1799913600 to 1831536000, got 1800000000000',
    ],
    [
      'a start long ago',
      { startAt: 1_799_913_599 },
      'startAt must be a whole number from 1799913600 to 1831536000, got 1799913599',
    ],
    ['no price', { maxPrice: 0 }, 'maxPrice must be a number above 0 or null, got 0'],
    ['a negative price', { minPrice: -1 }, 'minPrice must be a number above 0 or null, got -1'],
    [
      'prices in the wrong order',
      { minPrice: 200, maxPrice: 100 },
      'minPrice must be below maxPrice, got 200 and 100',
    ],
  ])('refuses %s', async (_, time, error) => {
    expect(await desk.post('createOrder', order(time))).toEqual(badRequest(error));
  });

  it.each([
    ['18446744073709551616', `inAmount must be a whole number from 1 to ${U64}, got 18446744073709551616`],
    ['1e300', `inAmount must be a whole number from 1 to ${U64}, got 1e+300`],
    // The largest amount is exact, and the user has less.
    ['18446744073709551615', 'Insufficient funds: it takes 18446744073709551615 base units'],
  ])('reads %s without rounding', async (inAmount, error) => {
    const body = JSON.stringify(order()).replace('"inAmount":104000000', `"inAmount":${inAmount}`);
    expect(await desk.post('createOrder', body)).toEqual(badRequest(expect.stringContaining(error)));
  });

  it.each([
    ['an amount as text', order({ inAmount: '104000000' })],
    ['an amount that is not whole', order({ inAmount: 0.5 })],
    ['a price as text', order({ maxPrice: 'cheap' })],
    ['no interval', order({ interval: undefined })],
    ['no user', { ...order(), user: undefined }],
    ['no parameters', { ...order(), params: undefined }],
    ['a list', []],
    ['no JSON', '{'],
  ])('answers %s in the same form', async (_, body) => {
    expect(await desk.post('createOrder', body)).toEqual(badRequest(expect.any(String)));
  });

  it.each([
    ['neither kind', {}, 'params must have time, with inAmount, numberOfOrders and interval'],
    [
      'a kind that is null',
      { time: null },
      'params must have time, with inAmount, numberOfOrders and interval',
    ],
    ['the closed kind', { price: { depositAmount: 1, incrementUsdcValue: 1, interval: 60 } }, CLOSED],
  ])('refuses %s', async (_, params, error) => {
    expect(await desk.post('createOrder', { ...order(), params })).toEqual(badRequest(error));
  });

  it('refuses what is no address, the same mint twice, and what is no token', async () => {
    const wrong = [
      [{ user: 'me' }, 'user must be an address: 32 bytes in base58, got "me"'],
      [{ inputMint: 'USDC' }, 'inputMint must be an address: 32 bytes in base58, got "USDC"'],
      [{ outputMint: '' }, 'outputMint must be an address: 32 bytes in base58, got ""'],
      [{ outputMint: USDC }, `inputMint and outputMint must differ, got ${USDC} twice`],
      [{ inputMint: desk.user }, `inputMint ${desk.user} is not a token`],
    ] as const;
    for (const [changes, error] of wrong) {
      expect(await desk.post('createOrder', { ...order(), ...changes })).toEqual(badRequest(error));
    }
  });

  it('refuses tokens of Token-2022 on both sides', async () => {
    const mint = desk.wallets.newMint({}, TOKEN_2022_PROGRAM);
    for (const field of ['inputMint', 'outputMint']) {
      expect(await desk.post('createOrder', { ...order(), [field]: mint })).toEqual(
        badRequest(
          `${field} ${mint} is a token of ${TOKEN_2022_PROGRAM}, which recurring orders do not support; choose one of TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA`,
        ),
      );
    }
  });

  it('refuses an input that nobody can value, and takes such an output', async () => {
    const mint = desk.wallets.newMint();
    expect(await desk.post('createOrder', { ...order(), inputMint: mint })).toEqual(
      badRequest(`inputMint ${mint} is not traded: no pool is deep enough to value it`),
    );
    expect(await desk.post('createOrder', { ...order(), outputMint: mint })).toMatchObject({ status: 200 });
  });

  it('refuses an order that would have another number of cycles', async () => {
    const mint = desk.wallets.newMint({ decimals: 0 });
    desk.wallets.give(desk.user, mint, { amount: 100n });
    desk.services.transactions.prices.worthInDollars = (_, atoms) => Number(atoms) * 60;
    const seven = order({ inAmount: 7, numberOfOrders: 4 });
    expect(await desk.post('createOrder', { ...seven, inputMint: mint })).toEqual(
      badRequest('inAmount 7 cannot be divided into 4 equal orders: of 1 each, there would be 7'),
    );
    Reflect.deleteProperty(desk.services.transactions.prices, 'worthInDollars');
  });

  it('refuses a wallet that has too little of the token, or of SOL', async () => {
    const poor = newKeypair().address;
    expect(await desk.post('createOrder', { ...order(), user: poor })).toEqual(
      badRequest(`Insufficient funds: it takes 104000000 base units, and ${poor} has 0`),
    );
    desk.wallets.give(poor, USDC, { amount: 104_000_000n });
    expect(await desk.post('createOrder', { ...order(), user: poor })).toEqual(
      badRequest(expect.stringMatching(/^Insufficient SOL: .* needs \d+ lamports more/)),
    );
  });

  it('says why when the account of the user is frozen', async () => {
    const poor = newKeypair().address;
    desk.wallets.give(poor, USDC, { amount: 104_000_000n, state: 'frozen' });
    desk.wallets.market.network.setAccount(poor, walletWith(10_000_000_000n));
    expect(await desk.post('createOrder', { ...order(), user: poor })).toEqual(
      badRequest(expect.stringMatching(/frozen/i)),
    );
  });
});

describe('POST cancelOrder', () => {
  it('refuses what is no open order, and an order of somebody else', async () => {
    const address = await openOrder();
    const cancel = (changes: object) =>
      desk.post('cancelOrder', { order: address, user: desk.user, recurringType: 'time', ...changes });
    const stranger = newKeypair().address;
    const wrong = [
      [{ user: stranger }, `order ${address} is not an order of user ${stranger}`],
      [{ order: USDC }, `order ${USDC} is not an open recurring order`],
      [{ order: stranger }, `order ${stranger} is not an open recurring order`],
      [{ order: 'mine' }, 'order must be an address: 32 bytes in base58, got "mine"'],
      [{ recurringType: 'price' }, CLOSED],
    ] as const;
    for (const [changes, error] of wrong) expect(await cancel(changes)).toEqual(badRequest(error));
    expect(await cancel({ recurringType: 'all' })).toEqual(badRequest(expect.any(String)));
    const { json } = await desk.execute((await cancel({})).json);
    expect(json).toMatchObject({ status: 'Success', order: address });
    expect(await cancel({})).toEqual(badRequest(`order ${address} is not an open recurring order`));
  });
});

describe('the endpoints of price-based orders', () => {
  it.each([
    ['priceDeposit', { amount: 1_000_000, order: USDC, user: USDC }],
    ['priceDeposit', { amount: '1000000' }],
    ['priceWithdraw', { inputOrOutput: 'In', order: USDC, user: USDC }],
    ['priceWithdraw', {}],
  ])('are closed: %s', async (name, body) => {
    expect(await desk.post(name, body)).toEqual(badRequest(CLOSED));
  });
});

describe('POST execute', () => {
  it('refuses another transaction, another signer, and what is no transaction', async () => {
    const { json } = await desk.post('createOrder', order());
    const other = (await desk.post('createOrder', order())).json;
    const signed = signRequest(json, [desk.wallets.wallet]);
    const refused = [
      [{ ...signed, requestId: other.requestId }, /was not handed out with this transaction/],
      [{ ...signed, requestId: '' }, /was not handed out with this transaction/],
      [{ ...signed, signedTransaction: json.transaction }, /lacks a valid signature/],
      [{ ...signed, signedTransaction: 'AAAA' }, /must be a transaction in base64/],
      [
        { ...signed, signedTransaction: withOtherSignature(signed.signedTransaction) },
        /lacks a valid signature/,
      ],
      [{ requestId: signed.requestId }, /signedTransaction/],
    ] as const;
    for (const [body, error] of refused) {
      expect(await desk.post('execute', body)).toEqual(badRequest(expect.stringMatching(error)));
    }
    expect(desk.wallets.market.chain.sent).toBe(2);
  });

  it('lands no altered transaction', async () => {
    const { json } = await desk.post('createOrder', order());
    const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(json.transaction, 'base64')));
    const altered = Uint8Array.from(messageBytes);
    // The last byte but one of the message is within the data of the opening.
    altered[altered.length - 6] = (altered[altered.length - 6] ?? 0) ^ 1;
    const signedTransaction = Buffer.from(signTransaction(altered, [desk.wallets.wallet])).toString('base64');
    expect(await desk.post('execute', { requestId: json.requestId, signedTransaction })).toEqual(
      badRequest(expect.stringContaining('was not handed out with this transaction')),
    );
  });
});

function badRequest(error: unknown) {
  return { status: 400, json: { code: 400, error, status: 'Bad Request' } };
}

function order(time: object = {}) {
  return {
    user: EXAMPLE_WALLET,
    inputMint: USDC,
    outputMint: WRAPPED_SOL_MINT as string,
    params: { time: { inAmount: 104_000_000, numberOfOrders: 2, interval: 60, ...time } },
  };
}

let keypairs = 0;

function newKeypair(): Keypair {
  return createKeypairFromSeed(new Uint8Array(32).fill(++keypairs));
}

async function openOrder(): Promise<Address> {
  const { json } = await desk.execute((await desk.post('createOrder', order())).json);
  expect(json.status, JSON.stringify(json)).toBe('Success');
  return json.order;
}

function walletWith(lamports: bigint): Account {
  return { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), lamports, executable: false, rentEpoch: 0n };
}

function withOtherSignature(signedTransaction: string): string {
  const bytes = Buffer.from(signedTransaction, 'base64');
  bytes[1] = (bytes[1] ?? 0) ^ 1;
  return bytes.toString('base64');
}
