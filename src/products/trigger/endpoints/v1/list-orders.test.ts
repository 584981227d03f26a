import { describe, expect, it } from 'vitest';
import type { ShownLimitOrder } from '../../../../program-orders/program-order.ts';
import { LIMIT_ORDER_PROGRAM } from '../../../../protocols/jupiter-limit-order/program.ts';
import { getGenesisToken } from '../../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { openForAll } from '../../../../testing/opened.ts';
import { LimitOrderDesk } from '../../../../testing/products/limit-order-desk.ts';
import { createNumberedAddress } from '../../../../testing/products/signing-wallets.ts';

const desk = openForAll(() => LimitOrderDesk.open(), 'close');

describe('getTriggerOrders', () => {
  it('shows an order with all fields that strict clients require, amounts in whole tokens and times in seconds', async () => {
    desk.listed = { orders: [order()], total: 21 };
    expect(await list({ page: '2', inputMint: USDC, outputMint: WRAPPED_SOL_MINT })).toEqual({
      status: 200,
      json: {
        user: MAKER,
        orderStatus: 'active',
        totalPages: 3,
        page: 2,
        orders: [
          {
            userPubkey: MAKER,
            orderKey: ORDER,
            inputMint: USDC,
            outputMint: WRAPPED_SOL_MINT,
            makingAmount: '10',
            takingAmount: '0.1',
            remainingMakingAmount: '7.5',
            remainingTakingAmount: '0.075',
            rawMakingAmount: '10000000',
            rawTakingAmount: '100000000',
            rawRemainingMakingAmount: '7500000',
            rawRemainingTakingAmount: '75000000',
            slippageBps: '25',
            expiredAt: null,
            createdAt: '2027-01-15T08:00:00Z',
            updatedAt: '2027-01-15T08:00:05Z',
            status: 'Open',
            openTx: '',
            closeTx: '',
            programVersion: LIMIT_ORDER_PROGRAM,
            trades: [
              {
                orderKey: ORDER,
                keeper: KEEPER,
                inputMint: USDC,
                outputMint: WRAPPED_SOL_MINT,
                inputAmount: '2.5',
                outputAmount: '0.024975',
                rawInputAmount: '2500000',
                rawOutputAmount: '24975000',
                feeMint: WRAPPED_SOL_MINT,
                feeAmount: '0.000025',
                rawFeeAmount: '25000',
                txId: 'signature',
                confirmedAt: '2027-01-15T08:00:05Z',
                action: 'Fill',
                productMeta: null,
              },
            ],
          },
        ],
      },
    });
    expect(desk.queries.at(-1)).toEqual({
      maker: MAKER,
      isOpen: true,
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      anyMint: null,
      page: 2,
      perPage: 10,
    });
  });

  it('names how an order ended', async () => {
    const ended = { closeSignature: 'end', openSignature: 'begin' };
    desk.listed = { orders: [order({ state: 'filled', ...ended }), order({ state: 'cancelled' })], total: 2 };
    const { json } = await list({ orderStatus: 'history', includeFailedTx: 'true' });
    expect(json).toMatchObject({ orderStatus: 'history', page: 1, totalPages: 1 });
    expect(json.orders).toMatchObject([
      { status: 'Completed', openTx: 'begin', closeTx: 'end' },
      { status: 'Cancelled', closeTx: '' },
    ]);
    expect(desk.queries.at(-1)).toMatchObject({ isOpen: false, page: 1 });
  });

  it.each([
    [253_402_300_799n, '9999-12-31T23:59:59Z'],
    [9_223_372_036_854_775_807n, '9999-12-31T23:59:59Z'],
    [-9_223_372_036_854_775_808n, '1970-01-01T00:00:00Z'],
  ])('shows an expiry of second %s, which the program takes, as %s', async (expiredAt, shown) => {
    desk.listed = { orders: [order({ expiredAt })], total: 1 };
    expect((await list({})).json.orders).toMatchObject([{ expiredAt: shown }]);
  });

  it('shows amounts of a mint that is gone in base units', async () => {
    desk.listed = { orders: [order({ inputMint: createNumberedAddress(9) })], total: 1 };
    expect((await list({})).json.orders).toMatchObject([{ makingAmount: '10000000', takingAmount: '0.1' }]);
  });

  it.each([
    { user: 'x' },
    { user: '' },
    { orderStatus: 'open' },
    { orderStatus: '' },
    { page: '0' },
    { page: '-1' },
    { page: '1000001' },
    { includeFailedTx: 'yes' },
    { inputMint: '1' },
    { outputMint: '1' },
  ])('refuses %j', async (query) => {
    expect(await list(query)).toEqual({
      status: 400,
      json: { error: 'invalid get orders request', cause: expect.any(String), code: 400 },
    });
  });
});

const USDC = getGenesisToken('USDC').mint;
const MAKER = createNumberedAddress(1);
const ORDER = createNumberedAddress(2);
const KEEPER = createNumberedAddress(3);

function list(query: Readonly<Record<string, string>>) {
  return desk.list({ user: MAKER, orderStatus: 'active', ...query });
}

function order(changes: Partial<ShownLimitOrder> = {}): ShownLimitOrder {
  return {
    program: 'limit-order',
    address: ORDER,
    maker: MAKER,
    inputMint: USDC,
    outputMint: WRAPPED_SOL_MINT,
    making: 10_000_000n,
    taking: 100_000_000n,
    remainingMaking: 7_500_000n,
    remainingTaking: 75_000_000n,
    slippageBps: 25,
    feeBps: 10,
    expiredAt: null,
    createdAt: 1_800_000_000n,
    updatedAt: 1_800_000_005n,
    openSignature: null,
    closeSignature: null,
    state: 'open',
    trades: [
      {
        keeper: KEEPER,
        inputAmount: 2_500_000n,
        outputAmount: 24_975_000n,
        feeAmount: 25_000n,
        signature: 'signature',
        at: 1_800_000_005n,
      },
    ],
    ...changes,
  };
}
