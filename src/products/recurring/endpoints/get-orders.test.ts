import { beforeEach, describe, expect, it } from 'vitest';
import { RequestRefused } from '../../../common/request-refused.ts';
import type { ShownDcaOrder } from '../../../program-orders/program-order.ts';
import { address } from '../../../solana/address.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { openForAll } from '../../../testing/opened.ts';
import { RecurringDesk } from '../../../testing/products/recurring-desk.ts';

const desk = openForAll(() => RecurringDesk.open(), 'close');
beforeEach(setUp);

describe('GET getRecurringOrders', () => {
  it('lists orders under the name of their kind, and sends the other lists empty', async () => {
    Object.assign(desk.listed, { active: [openOrder()], total: 1 });
    expect(await ask()).toEqual({
      status: 200,
      json: {
        user: desk.user,
        orderStatus: 'active',
        time: [OPEN_JSON],
        price: [],
        all: [],
        totalPages: 1,
        page: 1,
      },
    });
    const all = await ask({ recurringType: 'all' });
    expect(all.json).toMatchObject({ time: [], price: [], all: [{ ...OPEN_JSON, recurringType: 'time' }] });
  });

  it('shows nothing but texts where strict clients read texts', async () => {
    Object.assign(desk.listed, { active: [{ ...openOrder(), openSignature: null }], total: 1 });
    const [shown] = (await ask()).json.time;
    const { userClosed, trades, ...texts } = shown;
    expect(userClosed).toBe(false);
    expect(trades).toHaveLength(1);
    for (const [name, value] of Object.entries(texts)) expect(typeof value, name).toBe('string');
    expect(shown).toMatchObject({ openTx: '', closeTx: '', cycleFrequency: '86400' });
  });

  it('shows an order that has ended', async () => {
    const ended = { ...openOrder(), closeSignature: 'closing', userClosed: true, inWithdrawn: 52_000_000n };
    Object.assign(desk.listed, { history: [ended], total: 1 });
    const { json } = await ask({ orderStatus: 'history' });
    expect(json).toMatchObject({
      orderStatus: 'history',
      time: [{ closeTx: 'closing', userClosed: true, inWithdrawn: '52', rawInWithdrawn: '52000000' }],
    });
    expect(desk.queries).toMatchObject([{ isOpen: false }]);
  });

  it('asks for ten orders of the page, of the wallet and of one token', async () => {
    Object.assign(desk.listed, { active: [], total: 21 });
    expect((await ask({ page: '3', mint: WRAPPED_SOL_MINT })).json).toMatchObject({ page: 3, totalPages: 3 });
    expect(desk.queries).toEqual([
      {
        maker: desk.user,
        isOpen: true,
        inputMint: null,
        outputMint: null,
        anyMint: WRAPPED_SOL_MINT,
        page: 3,
        perPage: 10,
      },
    ]);
  });

  it.each([{}, { page: '', mint: '' }, { page: 'null', mint: 'null' }])(
    'takes %j for the first page of all tokens',
    async (query) => {
      expect((await ask(query)).json).toMatchObject({ page: 1, totalPages: 1 });
      expect(desk.queries).toMatchObject([{ page: 1, anyMint: null }]);
    },
  );

  it('lists no price-based orders, without looking for them', async () => {
    const { json } = await ask({ recurringType: 'price' });
    expect(json).toMatchObject({ time: [], price: [], all: [], totalPages: 1, page: 1 });
    expect(desk.queries).toEqual([]);
  });

  it.each([
    [{ user: undefined }, 'query parameter user is missing'],
    [{ user: 'me' }, 'user must be an address: 32 bytes in base58, got "me"'],
    [{ recurringType: undefined }, 'query parameter recurringType is missing'],
    [{ recurringType: 'Time' }, 'query parameter recurringType must be one of time, price, all, got "Time"'],
    [{ orderStatus: 'closed' }, 'query parameter orderStatus must be one of active, history, got "closed"'],
    [{ includeFailedTx: undefined }, 'query parameter includeFailedTx is missing'],
    [{ includeFailedTx: '1' }, 'query parameter includeFailedTx must be one of true, false, got "1"'],
    [{ page: '0' }, 'page must be a whole number from 1 to 1000000, got "0"'],
    [{ page: '-1' }, 'page must be a whole number from 1 to 1000000, got "-1"'],
    [{ page: '1000001' }, 'page must be a whole number from 1 to 1000000, got "1000001"'],
    [{ mint: 'SOL' }, 'mint must be an address: 32 bytes in base58, got "SOL"'],
  ])('refuses %j', async (query, error) => {
    expect(await ask(query)).toEqual({ status: 400, json: { code: 400, error, status: 'Bad Request' } });
  });

  it('answers in the same form where orders that have ended are not followed', async () => {
    desk.refusing = new RequestRefused('nobody follows the program here');
    expect(await ask({ orderStatus: 'history' })).toEqual({
      status: 400,
      json: { code: 400, error: 'nobody follows the program here', status: 'Bad Request' },
    });
  });
});

function setUp(): void {
  Object.assign(desk.listed, { active: [], history: [], total: 0 });
  desk.queries.splice(0);
  desk.refusing = null;
}

/** Asks with the usual parameters and these. One that is undefined is left out. */
function ask(query: Readonly<Record<string, string | undefined>> = {}) {
  const usual = { user: desk.user, recurringType: 'time', orderStatus: 'active', includeFailedTx: 'false' };
  const given = Object.entries({ ...usual, ...query }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return desk.get(Object.fromEntries(given));
}

const ORDER = address('8mF4HKoPQNmtbRvTRqotb4LW3pz5rR3eB7owZL9FVKiW');
const KEEPER = address('J1TnP8zvVxbtF5KFp5xRmWuvG9McnhzmBd9XGfCyuxFP');
const USER = address('A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL');
const USDC = getGenesisToken('USDC').mint;

function openOrder(): ShownDcaOrder {
  return {
    program: 'dca',
    address: ORDER,
    maker: USER,
    inputMint: USDC,
    outputMint: WRAPPED_SOL_MINT,
    createdAt: 1_742_034_600n,
    updatedAt: 1_742_038_200n,
    openSignature: 'opening',
    closeSignature: null,
    inDeposited: 104_500_001n,
    inWithdrawn: 0n,
    inUsed: 52_250_000n,
    outReceived: 299_700_000n,
    outWithdrawn: 1n,
    inAmountPerCycle: 52_250_000n,
    cycleFrequency: 86_400n,
    minOutAmount: 0n,
    maxOutAmount: 18_446_744_073_709_551_615n,
    userClosed: false,
    trades: [
      {
        keeper: KEEPER,
        inputAmount: 52_250_000n,
        outputAmount: 299_700_000n,
        feeAmount: 300_000n,
        signature: 'filling',
        at: 1_742_038_200n,
      },
    ],
  };
}

const OPEN_JSON = {
  userPubkey: USER,
  orderKey: ORDER,
  inputMint: USDC,
  outputMint: WRAPPED_SOL_MINT,
  inDeposited: '104.500001',
  rawInDeposited: '104500001',
  inWithdrawn: '0',
  rawInWithdrawn: '0',
  inUsed: '52.25',
  rawInUsed: '52250000',
  inAmountPerCycle: '52.25',
  rawInAmountPerCycle: '52250000',
  outReceived: '0.2997',
  rawOutReceived: '299700000',
  outWithdrawn: '0.000000001',
  rawOutWithdrawn: '1',
  minOutAmount: '0',
  rawMinOutAmount: '0',
  maxOutAmount: '18446744073.709551615',
  rawMaxOutAmount: '18446744073709551615',
  cycleFrequency: '86400',
  openTx: 'opening',
  closeTx: '',
  userClosed: false,
  createdAt: '2025-03-15T10:30:00Z',
  updatedAt: '2025-03-15T11:30:00Z',
  trades: [
    {
      orderKey: ORDER,
      keeper: KEEPER,
      inputMint: USDC,
      outputMint: WRAPPED_SOL_MINT,
      inputAmount: '52.25',
      outputAmount: '0.2997',
      rawInputAmount: '52250000',
      rawOutputAmount: '299700000',
      feeMint: WRAPPED_SOL_MINT,
      feeAmount: '0.0003',
      rawFeeAmount: '300000',
      txId: 'filling',
      confirmedAt: '2025-03-15T11:30:00Z',
      action: 'Fill',
      productMeta: null,
    },
  ],
};
