import { describe, expect, it } from 'vitest';
import {
  createCloseDca,
  createOpenDca,
  createOpenDcaV1,
} from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { deriveDcaOrderAddress } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import { TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { DcaWorld, HOLDING, NOW, ORDER_RENT, replaceAccount, TOKEN_RENT } from './world.ts';

describe('open_dca_v2', () => {
  it('takes the input, and writes the order that its arguments describe', () => {
    const world = new DcaWorld();
    const payer = world.network.newWallet();
    const opening = world.opening({
      inAmount: 1_000n,
      inAmountPerCycle: 300n,
      minOutAmount: 5n,
      maxOutAmount: 9n,
    });
    const { user, input, output } = world;
    const [events, lamports] = [world.must(createOpenDca(opening, payer)), world.lamports(user)];
    const { address, bump } = deriveDcaOrderAddress(opening);
    const [inAccount, outAccount] = [world.tokens(address, input), world.tokens(address, output)];
    expect(world.order(address)).toEqual({
      address,
      user,
      inputMint: input,
      outputMint: output,
      idx: opening.idx,
      nextCycleAt: NOW,
      inDeposited: 1_000n,
      inWithdrawn: 0n,
      outWithdrawn: 0n,
      inUsed: 0n,
      outReceived: 0n,
      inAmountPerCycle: 300n,
      cycleFrequency: 60n,
      nextCycleAmountLeft: 300n,
      inAccount,
      outAccount,
      minOutAmount: 5n,
      maxOutAmount: 9n,
      keeperInBalanceBeforeBorrow: 0n,
      dcaOutBalanceBeforeSwap: 0n,
      createdAt: NOW,
      bump,
    });
    expect([world.balance(inAccount), world.balance(outAccount)]).toEqual([1_000n, 0n]);
    expect(world.balance(world.tokens(user, input))).toBe(HOLDING - 1_000n);
    // The payer pays the rent.
    expect(world.lamports(user)).toBe(lamports);
    expect(world.lamports(payer)).toBe(10_000_000_000n - ORDER_RENT - 2n * TOKEN_RENT);
    expect(events).toEqual([
      {
        kind: 'opened',
        user,
        order: address,
        inDeposited: 1_000n,
        inputMint: input,
        outputMint: output,
        cycleFrequency: 60n,
        inAmountPerCycle: 300n,
        createdAt: NOW,
      },
    ]);
  });

  it.each([
    ['no start', undefined, NOW],
    ['a start of zero, as the public client writes it', 0n, NOW],
    ['a start in the past', NOW - 1n, NOW],
    ['a start before 1970', -5n, NOW],
    ['a start in the future', NOW + 500n, NOW + 500n],
  ])('begins at the right time with %s', (_, startAt, nextCycleAt) => {
    expect(new DcaWorld().open({ startAt })).toMatchObject({ nextCycleAt, createdAt: NOW });
  });

  it.each([
    ['no input', { inAmount: 0n, inAmountPerCycle: 0n }, 6000],
    ['cycles of nothing', { inAmountPerCycle: 0n }, 6001],
    ['less than one cycle', { inAmount: 99n }, 6006],
    ['29 seconds between cycles', { cycleFrequency: 29n }, 6003],
    ['a negative time between cycles', { cycleFrequency: -60n }, 6003],
    ['a minimum above the maximum', { minOutAmount: 10n, maxOutAmount: 9n }, 6004],
    ['more than the user has', { inAmount: HOLDING + 1n }, 6014],
    ['more than the user has, by far', { inAmount: U64_MAX }, 6014],
  ] as const)('refuses %s', (_, terms, code) => {
    const world = new DcaWorld();
    expect(world.refusal(createOpenDca(world.opening(terms)))).toBe(code);
  });

  it('refuses the amount that marks orders which are being filled', () => {
    const world = new DcaWorld();
    world.hold(world.user, world.input, U64_MAX);
    expect(world.refusal(createOpenDca(world.opening({ inAmount: U64_MAX })))).toBe(6000);
    world.open({ inAmount: U64_MAX - 1n, inAmountPerCycle: U64_MAX - 1n });
  });

  it('refuses a pair of one mint, mints of Token-2022, and what is no mint', () => {
    const world = new DcaWorld();
    expect(world.refusal(createOpenDca(world.opening({ outputMint: world.input })))).toBe(6002);
    const newer = world.network.newAddress();
    world.network.setData(
      newer,
      TOKEN_2022_PROGRAM,
      world.network.account(world.output)?.data ?? new Uint8Array(),
    );
    expect(world.refusal(createOpenDca(world.opening({ outputMint: newer })))).toBe(3007);
    const tokens = world.tokens(world.user, world.output);
    expect(world.refusal(createOpenDca(world.opening({ outputMint: tokens })))).toBe('InvalidAccountData');
  });

  it('refuses a second order of the same number, and an order at another address', () => {
    const world = new DcaWorld();
    const { idx } = world.open();
    expect(world.refusal(createOpenDca(world.opening({ idx })))).toBe(0);
    const instruction = createOpenDca(world.opening());
    const other = deriveDcaOrderAddress(world.opening()).address;
    expect(world.refusal(replaceAccount(instruction, 0, other))).toBe(2006);
  });

  it('opens an order whose addresses somebody has paid into, and gives it all back', () => {
    const world = new DcaWorld();
    const opening = world.opening();
    const { address } = deriveDcaOrderAddress(opening);
    world.hold(address, world.input, 7n);
    world.hold(address, world.output, 8n);
    world.setWallet(address, 5_000_000n);
    const before = world.lamports(world.user);
    world.must(createOpenDca(opening));
    const order = world.order(address);
    expect(order).toMatchObject({ inDeposited: 600n, outReceived: 0n });
    world.must(createCloseDca(order));
    expect(world.balance(world.tokens(world.user, world.input))).toBe(HOLDING + 7n);
    expect(world.balance(world.tokens(world.user, world.output))).toBe(HOLDING + 8n);
    expect(world.lamports(world.user)).toBe(before + 5_000_000n + 2n * TOKEN_RENT);
  });

  it('takes the input from any account of the user, and from no account of others', () => {
    const world = new DcaWorld();
    const [own, foreign] = [world.network.newAddress(), world.network.newAddress()];
    world.hold(world.user, world.input, 600n, own);
    world.hold(world.network.newWallet(), world.input, 600n, foreign);
    world.open({ userAccount: own });
    expect(world.balance(own)).toBe(0n);
    expect(world.refusal(createOpenDca(world.opening({ userAccount: foreign })))).toBe(2015);
    const other = world.tokens(world.user, world.output);
    expect(world.refusal(createOpenDca(world.opening({ userAccount: other })))).toBe(2014);
  });

  it('takes a negative or cut argument for none', () => {
    const world = new DcaWorld();
    const instruction = createOpenDca(world.opening());
    expect(world.refusal({ ...instruction, data: instruction.data.subarray(0, -1) })).toBe(102);
    const tagged = Uint8Array.from(instruction.data);
    tagged[tagged.length - 1] = 2;
    expect(world.refusal({ ...instruction, data: tagged })).toBe(102);
    expect(world.refusal({ ...instruction, accounts: instruction.accounts.slice(0, -1) })).toBe(3005);
  });
});

describe('open_dca', () => {
  it('does the same, and the user pays', () => {
    const world = new DcaWorld();
    const opening = world.opening();
    const before = world.lamports(world.user);
    world.must(createOpenDcaV1(opening, false));
    const { address } = deriveDcaOrderAddress(opening);
    expect(world.order(address)).toMatchObject({ inDeposited: 600n, nextCycleAmountLeft: 100n });
    expect(world.lamports(world.user)).toBe(before - ORDER_RENT - 2n * TOKEN_RENT);
  });

  it('closes the account of wrapped SOL when it is asked to, and refuses it for other tokens', () => {
    const world = new DcaWorld({ input: WRAPPED_SOL_MINT });
    const before = world.lamports(world.user);
    world.must(createOpenDcaV1(world.opening(), true));
    expect(world.network.account(world.tokens(world.user, WRAPPED_SOL_MINT))).toBeNull();
    expect(world.lamports(world.user)).toBe(before - ORDER_RENT - TOKEN_RENT + HOLDING - 600n);
    const plain = new DcaWorld();
    expect(plain.refusal(createOpenDcaV1(plain.opening(), true))).toBe(6002);
  });
});
