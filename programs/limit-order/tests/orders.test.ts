import { describe, expect, it } from 'vitest';
import { createInitializeOrder } from '../../../src/protocols/jupiter-limit-order/instructions.ts';
import {
  deriveLimitOrder,
  deriveProgramFeeAccount,
  LIMIT_ORDER_EVENT_AUTHORITY,
  LIMIT_ORDER_FEE,
  LIMIT_ORDER_PROGRAM,
} from '../../../src/protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { ExtensionType } from '../../../src/solana/programs/token/extensions.ts';
import { encodeTransferFeeConfigExtension } from '../../../src/solana/programs/token/transfer-fee.ts';
import { tagOf } from '../../liquidity/tests/instructions.ts';
import { CODE, LimitWorld, ORDER_RENT, START, TOKEN_PROGRAMS, TOKEN_RENT } from './world.ts';

describe.each(TOKEN_PROGRAMS)('initialize_order in %s', (_, tokenProgram) => {
  it('deposits the input, and writes the order in the layout of the public program', () => {
    const world = new LimitWorld({ tokenProgram });
    const terms = world.terms({ uniqueId: 77n, expiredAt: START + 60n, slippageBps: 25 });
    const [before, events] = [world.lamports(world.maker), world.must(createInitializeOrder(terms))];
    const order = world.placed(terms);
    const account = world.network.account(order.address);
    expect(account).toMatchObject({ owner: LIMIT_ORDER_PROGRAM, lamports: ORDER_RENT });
    expect(account?.data.length).toBe(372);
    expect(Buffer.from(account?.data.subarray(0, 8) ?? []).toString('hex')).toBe('86addfb94d561c33');
    expect(world.read(order)).toEqual({
      maker: world.maker,
      inputMint: world.input.mint,
      outputMint: world.output.mint,
      inputTokenProgram: tokenProgram,
      outputTokenProgram: tokenProgram,
      inputReserve: order.inputReserve,
      uniqueId: 77n,
      originalMaking: 1_000_000n,
      originalTaking: 500_000n,
      making: 1_000_000n,
      taking: 500_000n,
      borrowedMaking: 0n,
      expiredAt: START + 60n,
      feeBps: 10,
      feeAccount: deriveProgramFeeAccount(world.output.mint, tokenProgram),
      createdAt: START,
      updatedAt: START,
      bump: deriveLimitOrder(world.maker, 77n).bump,
      slippageBps: 25,
      stopLossTaking: 0n,
    });
    expect(world.balanceAt(order.inputReserve)).toBe(1_000_000n);
    expect(world.balance(world.maker, world.input)).toBe(999_000_000n);
    const reserve = world.lamports(order.inputReserve);
    expect(before - world.lamports(world.maker)).toBe(ORDER_RENT + reserve);
    if (tokenProgram === TOKEN_PROGRAM) expect(reserve).toBe(TOKEN_RENT);
    expect(events).toEqual([
      {
        kind: 'created',
        order: order.address,
        maker: world.maker,
        inputMint: world.input.mint,
        outputMint: world.output.mint,
        inputTokenProgram: tokenProgram,
        outputTokenProgram: tokenProgram,
        making: 1_000_000n,
        taking: 500_000n,
        expiredAt: START + 60n,
        feeBps: 10,
        feeAccount: deriveProgramFeeAccount(world.output.mint, tokenProgram),
        slippageBps: 25,
      },
    ]);
  });
});

describe('initialize_order', () => {
  it('takes the rent of another payer, and the input of the maker', () => {
    const world = new LimitWorld();
    const payer = world.network.newWallet();
    const [makers, payers] = [world.lamports(world.maker), world.lamports(payer)];
    world.place({ payer });
    expect(world.lamports(world.maker)).toBe(makers);
    expect(payers - world.lamports(payer)).toBe(ORDER_RENT + TOKEN_RENT);
  });

  it('pays fees to a referral account, at the rate that the order names', () => {
    const world = new LimitWorld();
    const partner = world.network.newWallet();
    const referral = world.hold(partner, world.output, 0n);
    const order = world.place({ referral, feeBps: 50, slippageBps: 25 });
    expect(world.read(order)).toMatchObject({ feeAccount: referral, feeBps: 50, slippageBps: 25 });
    expect(deriveProgramFeeAccount(world.output.mint, TOKEN_PROGRAM)).not.toBe(referral);
  });

  it('takes a reserve that somebody opened and paid into before', () => {
    const world = new LimitWorld();
    const terms = world.terms();
    world.hold(deriveLimitOrder(world.maker, terms.uniqueId).address, world.input, 5n);
    world.must(createInitializeOrder(terms));
    const order = world.placed(terms);
    expect(world.read(order)?.making).toBe(1_000_000n);
    expect(world.balanceAt(order.inputReserve)).toBe(1_000_005n);
  });

  it('takes an address that somebody sent lamports to before', () => {
    const world = new LimitWorld();
    const terms = world.terms();
    const { address } = deriveLimitOrder(world.maker, terms.uniqueId);
    const wallet = { owner: SYSTEM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
    world.network.setAccount(address, { lamports: 9_000_000n, ...wallet });
    world.must(createInitializeOrder(terms));
    expect(world.lamports(address)).toBe(9_000_000n);
  });

  it.each([
    ['no input', { making: 0n }, CODE.InvalidMakingAmount],
    ['no output', { taking: 0n }, CODE.InvalidTakingAmount],
    ['a slippage of everything', { slippageBps: 10_000 }, CODE.InvalidTakingAmount],
    ['an expiry that is now', { expiredAt: START }, CODE.InvalidExpiredDate],
    ['an expiry in the past', { expiredAt: -1n }, CODE.InvalidExpiredDate],
    ['a fee below that of stable pairs', { feeBps: 2 }, CODE.FeeBpsTooLow],
    ['a fee above a tenth', { feeBps: 1_001 }, CODE.FeeBpsTooHigh],
    ['more than the maker has', { making: 1_000_000_001n }, 1],
  ])('refuses %s', (_, changes, code) => {
    const world = new LimitWorld();
    expect(world.refusal(createInitializeOrder(world.terms(changes)))).toBe(code);
  });

  it('accepts what is just inside the bounds', () => {
    const world = new LimitWorld();
    world.place({ making: 1n, taking: 1n, expiredAt: START + 1n, feeBps: 3, slippageBps: 9_999 });
    world.place({ making: 1_000_000_000n - 1n, taking: (1n << 64n) - 1n, feeBps: 1_000 });
  });

  it('refuses an id that an open order has, and accepts it again after the order is closed', () => {
    const world = new LimitWorld();
    const order = world.place();
    const again = createInitializeOrder(world.terms({ uniqueId: order.uniqueId }));
    // The system program's AccountAlreadyInUse.
    expect(world.refusal(again)).toBe(0);
    world.must(world.cancel(order));
    world.must(again);
  });

  it('refuses the same mint on both sides', () => {
    const world = new LimitWorld();
    expect(world.refusal(createInitializeOrder(world.terms({ output: world.input })))).toBe(CODE.InvalidPair);
  });

  it.each([
    ['a transfer fee of zero', () => TRANSFER_FEE],
    ['a transfer hook', () => ({ type: ExtensionType.TRANSFER_HOOK, data: new Uint8Array(64) })],
  ])(
    'refuses a mint with %s on either side, because it can be changed while the order waits',
    (_, extension) => {
      const world = new LimitWorld();
      const taxed = world.newToken(TOKEN_2022_PROGRAM, [extension()]);
      expect(world.refusal(createInitializeOrder(world.terms({ output: taxed })))).toBe(CODE.TransferTaxMint);
      expect(world.refusal(createInitializeOrder(world.terms({ input: taxed })))).toBe(CODE.TransferTaxMint);
    },
  );

  it('refuses a referral account of another mint or token program', () => {
    const world = new LimitWorld();
    const partner = world.network.newWallet();
    const others = [world.input, world.newToken(), world.newToken(TOKEN_2022_PROGRAM)];
    for (const token of others) {
      const referral = world.hold(partner, token, 0n);
      expect(world.refusal(createInitializeOrder(world.terms({ referral })))).toBe(CODE.InvalidOutputMint);
    }
    const wallet = createInitializeOrder(world.terms({ referral: partner }));
    expect(world.refusal(wallet)).toBe(CODE.WrongOwner);
  });

  it.each([
    ['payer that did not sign', 0, (w: LimitWorld) => w.keeper, CODE.NotSigner, 1],
    ['maker that did not sign', 1, (w: LimitWorld) => w.maker, CODE.NotSigner, 0],
    ['order at another address', 2, (w: LimitWorld) => w.network.newAddress(), CODE.Seeds],
    ['reserve at another address', 3, (w: LimitWorld) => w.network.newAddress(), 'InvalidSeeds'],
    [
      'maker’s account of another owner',
      4,
      (w: LimitWorld) => w.tokens(w.keeper, w.input),
      CODE.InvalidInputAccount,
    ],
    [
      'maker’s account of another mint',
      4,
      (w: LimitWorld) => w.tokens(w.maker, w.output),
      CODE.InvalidInputAccount,
    ],
    ['fee account at another address', 5, (w: LimitWorld) => w.keeper, CODE.Seeds],
    ['wallet for a mint', 7, (w: LimitWorld) => w.keeper, CODE.WrongOwner],
    ['token program that is none', 9, (w: LimitWorld) => w.keeper, CODE.InvalidProgram],
    ['other token program for the input', 9, () => TOKEN_2022_PROGRAM, CODE.MintTokenProgram],
    ['other token program for the output', 10, () => TOKEN_2022_PROGRAM, CODE.MintTokenProgram],
    ['system program that is none', 11, () => TOKEN_PROGRAM, CODE.InvalidProgram],
    ['associated token program that is none', 12, () => TOKEN_PROGRAM, CODE.InvalidProgram],
    ['event authority that is none', 13, (w: LimitWorld) => w.keeper, CODE.Seeds],
    ['program that is another', 14, () => TOKEN_PROGRAM, CODE.InvalidProgram],
  ] as const)('refuses a %s', (_, index, makeAddress, code, role?: number) => {
    const world = new LimitWorld();
    const payer = world.network.newWallet();
    const { accounts, ...rest } = createInitializeOrder(world.terms({ payer }));
    const changed = accounts.map((meta, at) =>
      at === index ? { address: makeAddress(world), role: (role ?? meta.role) as typeof meta.role } : meta,
    );
    expect(world.refusal({ ...rest, accounts: changed })).toBe(code);
  });
});

describe('the program', () => {
  it.each(['fill_order', 'cancel_dust_order'])('refuses %s of later builds by name', (name) => {
    const world = new LimitWorld();
    const { error, logs } = world.send({
      programAddress: LIMIT_ORDER_PROGRAM,
      accounts: [],
      data: tagOf(name),
    });
    expect(error?.custom).toBe(CODE.UnknownInstruction);
    expect(logs.join('\n')).toContain('UnknownInstruction');
  });

  it('refuses what is no instruction, and arguments that are cut short', () => {
    const world = new LimitWorld();
    const call = (data: Uint8Array) => ({ programAddress: LIMIT_ORDER_PROGRAM, accounts: [], data });
    expect(world.refusal(call(new Uint8Array(0)))).toBe(101);
    expect(world.refusal(call(tagOf('no_such_instruction')))).toBe(101);
    const create = createInitializeOrder(world.terms());
    for (const cut of [1, 2, 10, 20, 26]) {
      const data = create.data.subarray(0, create.data.length - cut);
      expect(world.refusal({ ...create, data }), `${cut} bytes less`).toBe(102);
    }
  });

  it('accepts no event of others', () => {
    const world = new LimitWorld();
    const data = Buffer.from('e445a52e51cb9a1dae428d1104e0a24d', 'hex');
    const accounts = [{ address: LIMIT_ORDER_EVENT_AUTHORITY, role: 0 as const }];
    expect(world.refusal({ programAddress: LIMIT_ORDER_PROGRAM, accounts, data })).toBe(2002);
    const own = [{ address: world.keeper, role: 2 as const }];
    expect(world.refusal({ programAddress: LIMIT_ORDER_PROGRAM, accounts: own, data })).toBe(2002);
  });

  it('has the addresses of the public program’s rates and event authority', () => {
    expect(LIMIT_ORDER_FEE).toBe('27ZASRjinQgXKsrijKqb9xyRnH6W5KWgLSDveRghvHqc');
    expect(LIMIT_ORDER_EVENT_AUTHORITY).toBe('ArsDfE54RTkC3zhtzPdtvTtKw9XSV5w1PCTBFVGiLd52');
  });
});

const SYSTEM = '11111111111111111111111111111111' as Address;
const NO_FEE = { epoch: 0n, basisPoints: 0, maximumFee: 0n };
const TRANSFER_FEE = encodeTransferFeeConfigExtension({
  configAuthority: null,
  withdrawWithheldAuthority: null,
  withheldAmount: 0n,
  older: NO_FEE,
  newer: NO_FEE,
});
