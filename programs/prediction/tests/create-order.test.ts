import { describe, expect, it } from 'vitest';
import { createNewPredictionOrder } from '../../../src/protocols/jupiter-prediction/instructions/prediction-order-instructions.ts';
import {
  derivePredictionPosition,
  derivePredictionTokens,
  JUPUSD_MINT,
} from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import { readonly, readonlySigner } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { nameOrderTokens, nameWorldOrder, ONE, PredictionWorld, START } from './world.ts';

describe('create_order', () => {
  it('moves the deposit of a purchase into the order, and lets the payer pay the rents', () => {
    const world = new PredictionWorld();
    const terms = world.terms({ isLimit: true, integrator: { address: world.stranger, feeBps: 30 } });
    const [owner, payer] = [world.lamports(world.alice), world.lamports(world.stranger)];
    const events = world.must(world.creation(world.alice, terms, world.stranger));
    const order = nameWorldOrder(world.alice, terms, world.stranger);
    expect(events).toEqual([
      {
        kind: 'order-created',
        order: order.address,
        marketIdHash: world.market,
        owner: world.alice,
        orderId: null,
        externalOrderId: terms.externalOrderId,
        isYes: true,
        isBuy: true,
        contracts: 10n * ONE,
        limitPrice: 600_000n,
        depositAmount: 7n * ONE,
        isLimit: true,
        integrator: world.stranger,
        integratorFeeBps: 30,
        timestamp: START,
      },
    ]);
    expect(world.readOrder(order)).toMatchObject({
      owner: world.alice,
      position: derivePredictionPosition(world.market, world.alice, true).address,
      payer: world.stranger,
      status: 'pending',
      filledAt: 0n,
      filledCost: 0n,
      filledFees: 0n,
      unitVersion: 1,
    });
    expect(world.balanceAt(nameOrderTokens(order))).toBe(7n * ONE);
    expect(world.lamports(world.alice)).toBe(owner);
    expect(payer - world.lamports(world.stranger)).toBe(5_693_280n + 2_310_720n);
  });

  it('takes no deposit for a sale', () => {
    const world = new PredictionWorld();
    world.buy(world.alice, 10n * ONE, 500_000n);
    const sale = world.order(world.alice, { isBuy: false });
    expect(world.balanceAt(nameOrderTokens(sale))).toBe(0n);
    expect(world.readPosition(sale)?.openOrders).toBe(1);
  });

  it.each([
    [6012, { contracts: 9_999n }],
    [6048, { limitPrice: 0n }],
    [6048, { limitPrice: ONE + 1n }],
    [6042, { depositAmount: ONE - 1n }],
    [6040, { depositAmount: 1_000n * ONE + 1n }],
    [6041, { isBuy: false, depositAmount: 1n }],
    [6043, { isBuy: false, depositAmount: 0n }],
    [6044, { contracts: 10_000n * ONE + 1n }],
    [6034, { externalOrderId: '' }],
    [6034, { externalOrderId: 'x'.repeat(33) }],
    [6034, { externalOrderId: 'two words' }],
    [6034, { externalOrderId: 'naïve' }],
  ] as const)('is refused with %i for %o', (code, changes) => {
    const world = new PredictionWorld();
    const terms = world.terms();
    const built = world.creation(world.alice, terms);
    // The builder cannot derive addresses of ids that are too long, so the accounts are those of the ordinary order.
    const { data } = createNewPredictionOrder(
      { owner: world.alice, payer: world.alice, authority: world.authority },
      { ...terms, ...changes, externalOrderId: terms.externalOrderId },
    );
    const id = 'externalOrderId' in changes ? changes.externalOrderId : undefined;
    const written = id === undefined ? data : replaceId(data, id);
    expect(world.refusal({ ...built, data: written })).toBe(code);
    expect(world.balance(world.alice)).toBe(1_000n * ONE);
  });

  it('is refused for ids of markets that have not 32 characters', () => {
    const world = new PredictionWorld();
    for (const marketIdHash of ['', 'a'.repeat(31), `${'a'.repeat(31)} `, `${'a'.repeat(30)}é`]) {
      const terms = world.terms({ marketIdHash });
      expect(world.refusal(world.creation(world.alice, terms))).toBe(6034);
    }
  });

  it('is refused for an integrator without a fee, a fee without one, and one that is too high', () => {
    const world = new PredictionWorld();
    for (const feeBps of [0, 1_001]) {
      const terms = world.terms({ integrator: { address: world.stranger, feeBps } });
      expect(world.refusal(world.creation(world.alice, terms))).toBe(6063);
    }
    const built = world.creation(
      world.alice,
      world.terms({ integrator: { address: world.stranger, feeBps: 5 } }),
    );
    const withoutFee = Buffer.concat([built.data.subarray(0, -3), Uint8Array.of(0)]);
    expect(world.refusal({ ...built, data: withoutFee })).toBe(6063);
    const plain = world.creation(world.alice, world.terms());
    const withoutIntegrator = Buffer.concat([plain.data.subarray(0, -1), Uint8Array.of(1, 5, 0)]);
    expect(world.refusal({ ...plain, data: withoutIntegrator })).toBe(6063);
  });

  it('needs the signatures of the owner, of the payer and of the service', () => {
    const world = new PredictionWorld();
    const built = world.creation(world.alice, world.terms(), world.bob);
    for (const [index, code] of [
      [1, 3010],
      [2, 3010],
    ] as const) {
      const accounts = built.accounts.map((meta, at) => (at === index ? readonly(meta.address) : meta));
      expect(world.refusal({ ...built, accounts })).toBe(code);
    }
    const accounts = built.accounts.map((meta, at) => (at === 2 ? readonlySigner(world.stranger) : meta));
    expect(world.refusal({ ...built, accounts })).toBe(6001);
  });

  it('is refused while trading is disabled, and for purchases while deposits are', () => {
    const world = new PredictionWorld();
    const position = world.buy(world.alice, 10n * ONE, 500_000n);
    const { currentContracts } = world.readVault();
    world.setVault({ depositsDisabled: true, currentContracts });
    expect(world.refusal(world.creation(world.alice, world.terms()))).toBe(6006);
    world.order(world.alice, { isBuy: false });
    world.setVault({ tradingDisabled: true, currentContracts });
    expect(world.refusal(world.creation(world.alice, world.terms({ isBuy: false })))).toBe(6008);
    expect(world.readPosition(position)?.openOrders).toBe(1);
  });

  it('is refused for more open orders of a position than the vault permits', () => {
    const world = new PredictionWorld();
    const orders = [1, 2, 3, 4].map(() => world.order(world.alice));
    expect(world.refusal(world.creation(world.alice, world.terms()))).toBe(6036);
    world.order(world.alice, { isYes: false });
    for (const order of orders) world.must(world.close(order));
    world.order(world.alice);
  });

  it('is refused for an id that is in use, and accepted again once the order is closed', () => {
    const world = new PredictionWorld();
    const terms = world.terms();
    world.must(world.creation(world.alice, terms));
    expect(world.refusal(world.creation(world.alice, terms))).toBe(6050);
    world.must(world.creation(world.bob, terms));
    world.must(world.close(nameWorldOrder(world.alice, terms)));
    world.must(world.creation(world.alice, terms));
  });

  it('is not held up by lamports or an account that somebody has put at its addresses before', () => {
    const world = new PredictionWorld();
    const terms = world.terms();
    const order = nameWorldOrder(world.alice, terms);
    const position = derivePredictionPosition(world.market, world.alice, true).address;
    world.must(transferLamports(world.network.payer, order.address, 5_000_000n));
    world.must(transferLamports(world.network.payer, position, 5_000_000n));
    const early = ordinaryTokenAccount({ mint: JUPUSD_MINT, owner: order.address, amount: 3n });
    world.network.setData(nameOrderTokens(order), TOKEN_PROGRAM, early);
    world.must(world.creation(world.alice, terms));
    expect(world.balanceAt(nameOrderTokens(order))).toBe(7n * ONE + 3n);
    world.must(world.close(order));
    expect(world.balance(world.alice)).toBe(1_000n * ONE + 3n);
  });

  it('takes the deposit from a token account of the owner in the settlement mint alone', () => {
    const world = new PredictionWorld();
    const terms = world.terms();
    const signers = { owner: world.alice, payer: world.alice, authority: world.authority };
    const bobs = createNewPredictionOrder(signers, terms, derivePredictionTokens(world.bob));
    expect(world.refusal(bobs)).toBe(6037);
    const other = world.network.newAddress();
    const mint = {
      mintAuthority: null,
      supply: 1n << 60n,
      decimals: 6,
      freezeAuthority: null,
      extensions: [],
    };
    world.network.setData(other, TOKEN_PROGRAM, encodeMint(mint));
    const worthless = world.network.newAddress();
    const tokens = ordinaryTokenAccount({ mint: other, owner: world.alice, amount: 1_000n * ONE });
    world.network.setData(worthless, TOKEN_PROGRAM, tokens);
    expect(world.refusal(createNewPredictionOrder(signers, terms, worthless))).toBe(6003);
    const built = world.creation(world.alice, terms);
    const accounts = built.accounts.map((meta, at) => (at === 7 ? readonly(other) : meta));
    expect(world.refusal({ ...built, accounts })).toBe(6003);
  });
});

/** Returns the data of `create_order` with another id of the order. */
function replaceId(data: Uint8Array, id: string): Uint8Array {
  const text = Buffer.from(id);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([data.subarray(0, 8), length, text, data.subarray(8 + 4 + 32)]);
}
