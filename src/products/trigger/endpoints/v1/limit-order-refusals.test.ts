import { describe, expect, it } from 'vitest';
import type { Address } from '../../../../solana/address.ts';
import type { Keypair } from '../../../../solana/keypair.ts';
import { getGenesisToken } from '../../../../solana/known-tokens.ts';
import { deriveAssociatedTokenAddress } from '../../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../../solana/program-addresses.ts';
import { type Extension, ExtensionType } from '../../../../solana/programs/token/extensions.ts';
import { U64_MAX } from '../../../../solana/units.ts';
import { openForAll } from '../../../../testing/opened.ts';
import { LimitOrderDesk } from '../../../../testing/products/limit-order-desk.ts';
import { signRequest } from '../../../../testing/products/unsigned-request.ts';
import { createNumberedAddress } from '../../../../testing/products/signing-wallets.ts';
import { LIMIT_ORDER_FEE } from '../../../../protocols/jupiter-limit-order/program.ts';

const INVALID = 'invalid create order request';
const desk = openForAll(() => LimitOrderDesk.open(), 'close');

describe('createOrder', () => {
  it('refuses what is worth less than 5 US dollars, in the words of the public service', async () => {
    const refused = (cause: string) => ({
      status: 400,
      json: { error: 'invalid create order request', cause, code: 400 },
    });
    const least = 'input mint making amount must be at least 5 USD, received:';
    expect(await create({}, { makingAmount: '2000000' })).toEqual(refused(`${least} 2`));
    expect(await create({}, { makingAmount: '4999999' })).toEqual(refused(`${least} 4.99`));
    for (const makingAmount of ['1', '9999']) {
      expect(await create({}, { makingAmount })).toEqual(refused(`${least} less than 0.01`));
    }
    expect(await create({}, { makingAmount: '10000' })).toEqual(refused(`${least} 0.01`));
    expect((await create({}, { makingAmount: '5000000' })).status).toBe(200);
    const unpriced = desk.wallets.newMint();
    expect((await create({ inputMint: unpriced })).json.cause).toContain(
      `input mint ${unpriced} is not traded`,
    );
  });

  it.each([
    [{ maker: 'nobody' }, {}, 'invalid maker pubkey', 'maker must be an address'],
    [{ payer: '' }, {}, 'invalid payer pubkey', 'payer must be an address'],
    [{ inputMint: '1' }, {}, 'invalid inputMint pubkey', 'inputMint must be an address'],
    [{ outputMint: 'x'.repeat(5_000) }, {}, 'invalid outputMint pubkey', 'outputMint must be an address'],
    [{ feeAccount: '?' }, { feeBps: '5' }, 'invalid feeAccount pubkey', 'feeAccount must be an address'],
    [{ inputMint: SYSTEM_PROGRAM }, {}, INVALID, 'not traded'],
    [{ outputMint: SYSTEM_PROGRAM }, {}, INVALID, `outputMint ${SYSTEM_PROGRAM} is not a token`],
    [{ outputMint: getGenesisToken('USDC').mint }, {}, INVALID, 'must differ'],
    [{}, { makingAmount: '0' }, INVALID, `makingAmount must be a whole number from 1 to ${U64_MAX}`],
    [{}, { takingAmount: 0 }, INVALID, `takingAmount must be a whole number from 1 to ${U64_MAX}`],
    [{}, { makingAmount: '-5' }, INVALID, 'makingAmount must be a whole number'],
    [{}, { makingAmount: '1e9' }, INVALID, 'makingAmount must be a whole number'],
    [{}, { makingAmount: '1.5' }, INVALID, 'makingAmount must be a whole number'],
    [{}, { takingAmount: String(U64_MAX + 1n) }, INVALID, 'takingAmount must be a whole number'],
    [{}, { takingAmount: undefined }, INVALID, 'takingAmount'],
    [{}, { expiredAt: '1800000000' }, INVALID, 'expiredAt must be in the future'],
    [{}, { expiredAt: '0' }, INVALID, 'expiredAt must be in the future'],
    [{}, { expiredAt: '1900000000000' }, INVALID, 'expiredAt must be a whole number from 0 to 253402300799'],
    [{}, { expiredAt: 'tomorrow' }, INVALID, 'expiredAt must be a whole number'],
    [{}, { slippageBps: '10000' }, INVALID, 'slippageBps must be a whole number from 0 to 9999'],
    [{}, { feeBps: '50' }, INVALID, 'feeBps needs feeAccount'],
    [{ feeAccount: LIMIT_ORDER_FEE }, {}, INVALID, 'needs feeBps'],
    [{ feeAccount: LIMIT_ORDER_FEE }, { feeBps: '2' }, INVALID, 'feeBps must be from 3 to 1000'],
    [{ feeAccount: LIMIT_ORDER_FEE }, { feeBps: '1001' }, INVALID, 'feeBps must be from 3 to 1000'],
    [
      { feeAccount: LIMIT_ORDER_FEE },
      { feeBps: '50' },
      INVALID,
      'feeAccount must be a token account of outputMint',
    ],
    [{ computeUnitPrice: 'fast' }, {}, INVALID, 'computeUnitPrice must be'],
    [{ computeUnitPrice: '-1' }, {}, INVALID, 'computeUnitPrice must be'],
    [{ computeUnitPrice: String(U64_MAX) }, {}, INVALID, 'Insufficient SOL'],
    [{}, { makingAmount: String(U64_MAX) }, INVALID, 'Insufficient funds'],
    [{ wrapAndUnwrapSol: 'yes' }, {}, INVALID, 'wrapAndUnwrapSol'],
  ])('refuses %j with %j', async (changes, params, error, cause) => {
    const { status, json } = await create(changes, params);
    expect({ status, json }).toEqual({ status: 400, json: { error, cause: TEXT, code: 400 } });
    expect(json.cause).toContain(cause);
  });

  it('refuses tokens whose transfers can change while an order waits', async () => {
    for (const [extension, words] of [
      [{ type: ExtensionType.TRANSFER_FEE_CONFIG, data: new Uint8Array(108) }, 'can have transfer fees'],
      [{ type: ExtensionType.TRANSFER_HOOK, data: new Uint8Array(64) }, 'has a transfer hook'],
      [{ type: ExtensionType.NON_TRANSFERABLE, data: new Uint8Array() }, 'cannot be transferred'],
      [{ type: ExtensionType.DEFAULT_ACCOUNT_STATE, data: Uint8Array.of(2) }, 'opens accounts frozen'],
      [{ type: ExtensionType.PAUSABLE, data: new Uint8Array(33).fill(1, 32) }, 'is paused'],
    ] as const) {
      const mint = newMint([extension]);
      expect((await create({ inputMint: mint })).json.cause).toContain(`inputMint ${mint} ${words}`);
      expect((await create({ outputMint: mint })).json.cause).toContain(`outputMint ${mint} ${words}`);
    }
  });

  it('refuses an order that could not be paid into the account of its maker, or its fee into that of the fee', async () => {
    const mint = newMint([]);
    const account = desk.wallets.give(desk.maker, mint, { state: 'frozen' }, IN_2022);
    expect((await create({ outputMint: mint })).json.cause).toContain(
      `${account} of maker ${desk.maker} is frozen`,
    );
    const demanding = newMint([]);
    const memo = [{ type: ExtensionType.MEMO_TRANSFER, data: Uint8Array.of(1) }];
    desk.wallets.give(desk.maker, demanding, { extensions: memo }, IN_2022);
    expect((await create({ outputMint: demanding })).json.cause).toContain(
      'takes only transfers with a memo',
    );
    const secret = newMint([]);
    // Both bytes of the credits that it accepts: confidential ones, and no others.
    const confidential = new Uint8Array(295).fill(1, 261, 262);
    const extensions = [{ type: ExtensionType.CONFIDENTIAL_TRANSFER_ACCOUNT, data: confidential }];
    desk.wallets.give(desk.maker, secret, { extensions }, IN_2022);
    expect((await create({ outputMint: secret })).json.cause).toContain('takes only confidential transfers');
    const given = newMint([]);
    const at = { ...IN_2022, address: deriveAssociatedTokenAddress(desk.maker, given, TOKEN_2022_PROGRAM) };
    desk.wallets.give(createNumberedAddress(5), given, {}, at);
    expect((await create({ outputMint: given })).json.cause).toContain('belongs to another wallet');
    const feeAccount = desk.wallets.give(createNumberedAddress(6), JUP, { state: 'frozen' });
    expect((await create({ feeAccount }, { feeBps: '9' })).json.cause).toContain(
      `feeAccount ${feeAccount} is frozen`,
    );
  });

  it('takes null for what it need not have, and no fee for no fee account', async () => {
    const params = { expiredAt: null, slippageBps: null, feeBps: null };
    const nothing = { feeAccount: null, wrapAndUnwrapSol: null, computeUnitPrice: null };
    expect((await create(nothing, params)).status).toBe(200);
    expect((await create({}, { feeBps: '0' })).status).toBe(200);
  });

  it('answers a body that is not JSON in its own form', async () => {
    for (const body of ['{', '[]', '"x"', 'null', '{"maker":{}}']) {
      expect(await desk.post('createOrder', body), body).toEqual({
        status: 400,
        json: { error: INVALID, cause: TEXT, code: 400 },
      });
    }
  });
});

describe('cancelOrder', () => {
  it('refuses orders that are not open, or not of the maker', async () => {
    const order = await place();
    const other = desk.wallets.market.genesis.keys.demoWallets[1] as Keypair;
    for (const body of [
      { maker: other.address, order },
      { maker: desk.maker, order: createNumberedAddress(8) },
      { maker: desk.maker, order: LIMIT_ORDER_FEE },
      { maker: desk.maker, order: desk.maker },
    ]) {
      for (const endpoint of ['cancelOrder', 'cancelOrders']) {
        expect(await desk.post(endpoint, body)).toEqual({
          status: 400,
          json: { error: 'no matching orders found', cause: TEXT, code: 400 },
        });
      }
    }
    const none = await desk.post('cancelOrders', { maker: createNumberedAddress(9) });
    expect(none.json.error).toBe('no matching orders found');
    expect((await desk.post('cancelOrders', { maker: desk.maker, orders: [] })).json.error).toBe(
      'no matching orders found',
    );
    expect(desk.order(order)).not.toBeNull();
  });

  it('leaves out orders that are not open any more', async () => {
    const [order, other] = [await place(), await place()];
    const orders = [createNumberedAddress(8), order, other];
    for (const body of [
      { maker: desk.maker, orders },
      { maker: desk.maker, order: orders.join(',') },
    ]) {
      const { status, json } = await desk.post('cancelOrders', body);
      expect([status, json.transactions.length]).toEqual([200, 1]);
    }
  });

  it('cancels all but those that cannot be cancelled, unless one of them is named', async () => {
    const mint = newMint([]);
    const account = desk.wallets.give(desk.maker, mint, { amount: 90_000_000n }, IN_2022);
    const made = (await create({ inputMint: mint })).json;
    expect((await desk.execute(made)).json).toMatchObject({ status: 'Success' });
    const stuck: Address = made.order;
    const other = await place();
    desk.wallets.change(account, { state: 'frozen' });
    expect((await desk.post('cancelOrders', { maker: desk.maker, orders: [other, stuck] })).json).toEqual({
      error: 'invalid cancel order request',
      cause: TEXT,
      code: 400,
    });
    const all = await desk.post('cancelOrders', { maker: desk.maker });
    expect(all.status).toBe(200);
    for (const transaction of all.json.transactions) {
      const executed = await desk.execute({ requestId: all.json.requestId, transaction });
      expect(executed.json).toMatchObject({ status: 'Success' });
    }
    expect([desk.order(other), desk.order(stuck)?.maker]).toEqual([null, desk.maker]);
    const alone = await desk.post('cancelOrders', { maker: desk.maker });
    expect([alone.status, alone.json.error]).toEqual([400, 'invalid cancel order request']);
    desk.wallets.change(account, { state: 'initialized' });
    expect((await desk.post('cancelOrders', { maker: desk.maker })).status).toBe(200);
  });

  it('refuses addresses that are none, and more orders than one request cancels', async () => {
    const { json } = await desk.post('cancelOrder', { maker: desk.maker, order: 'x' });
    expect(json).toEqual({ error: 'invalid order pubkey', cause: TEXT, code: 400 });
    for (const count of [81, 500]) {
      const many = Array.from({ length: count }, (_, index) => createNumberedAddress(index));
      const cause = (field: string) => `${field} must name 80 orders at most, got ${count}`;
      for (const [field, orders] of [
        ['orders', many],
        ['orders', many.join(',')],
        ['order', many.join(', ')],
      ] as const) {
        const { status, json } = await desk.post('cancelOrders', { maker: desk.maker, [field]: orders });
        expect({ status, json }).toEqual({
          status: 400,
          json: { error: 'invalid cancel order request', cause: cause(field), code: 400 },
        });
      }
    }
  });

  it('says what the maker lacks, and not that there is no order', async () => {
    const order = await place();
    const { network } = desk.wallets.market;
    const wallet = network.account(desk.maker);
    if (wallet === null) throw new Error('the maker has SOL');
    network.setAccount(desk.maker, { ...wallet, lamports: 1_000n });
    const { json } = await desk.post('cancelOrder', { maker: desk.maker, order });
    network.setAccount(desk.maker, wallet);
    expect(json.error).toBe('invalid cancel order request');
    expect(json.cause).toContain('Insufficient SOL');
  });
});

describe('execute', () => {
  it('refuses what was not handed out with the request id', async () => {
    const [one, other] = [(await create()).json, (await create()).json];
    const [signed] = [signRequest(one, [desk.wallets.wallet])];
    for (const body of [
      { ...signed, requestId: other.requestId },
      { ...signed, requestId: '' },
      { ...signed, requestId: 'A'.repeat(500) },
      { ...signed, signedTransaction: '' },
      { ...signed, signedTransaction: 'AAAA' },
      { ...signed, signedTransaction: one.transaction },
    ]) {
      expect(await desk.post('execute', body)).toEqual({
        status: 400,
        json: { error: 'invalid execute order request', cause: TEXT, code: 400 },
      });
    }
    expect([desk.order(one.order), desk.order(other.order)]).toEqual([null, null]);
  });

  it('answers a transaction that would fail with 500, as the public service does', async () => {
    const order = await place();
    const cancelled = await desk.post('cancelOrder', { maker: desk.maker, order });
    const again = await desk.post('cancelOrder', { maker: desk.maker, order });
    expect((await desk.execute(cancelled.json)).status).toBe(200);
    const failed = await desk.execute(again.json);
    expect(failed).toEqual({
      status: 500,
      json: { error: TEXT, code: 500, signature: TEXT, status: 'Failed' },
    });
  });
});

const USDC = getGenesisToken('USDC').mint;
const JUP = getGenesisToken('JUP').mint;

const TEXT = expect.any(String);
const IN_2022 = { program: TOKEN_2022_PROGRAM };

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

async function place(): Promise<Address> {
  const { json } = await create();
  expect((await desk.execute(json)).json).toMatchObject({ status: 'Success' });
  return json.order;
}

/** A token of Token-2022 that has a price. */
function newMint(extensions: readonly Extension[]): Address {
  const mint = desk.wallets.newMint({ extensions }, TOKEN_2022_PROGRAM);
  desk.worth.set(mint, 100);
  return mint;
}
