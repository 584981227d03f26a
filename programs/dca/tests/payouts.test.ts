import { describe, expect, it } from 'vitest';
import { createEndAndCloseDca, createTransferDca } from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import { createWithdrawDca } from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { DCA_PROGRAM, deriveDcaIntermediateAddress } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../../src/solana/rent.ts';
import { DcaWorld, HOLDING, ORDER_RENT, type OpenOrder, replaceAccount, TOKEN_RENT } from './world.ts';

describe('transfer', () => {
  it('pays what the order has bought to its user, for anybody who asks', () => {
    const { world, order } = filled();
    const stranger = world.network.newWallet();
    expect(world.must(createTransferDca(stranger, order))).toEqual([
      { kind: 'withdrawn', order: order.address, inAmount: 0n, outAmount: 1_998n, userWithdraw: false },
    ]);
    expect(world.again(order)).toMatchObject({ outReceived: 1_998n, outWithdrawn: 1_998n });
    expect(world.balance(world.tokens(world.user, world.output))).toBe(HOLDING + 1_998n);
    expect(world.refusal(createTransferDca(stranger, order))).toBe(6035);
  });

  it('leaves tokens that nobody counted', () => {
    const { world, order } = filled();
    world.changeTokens(order.outAccount, { amount: 2_000n });
    world.must(createTransferDca(world.keeper, order));
    expect(world.balance(order.outAccount)).toBe(2n);
    expect(world.refusal(createTransferDca(world.keeper, order))).toBe(6035);
  });

  it('pays SOL as SOL, to the lamport, and the keeper is as rich as before', () => {
    const { world, order } = filled({ output: WRAPPED_SOL_MINT });
    const [user, keeper] = [world.lamports(world.user), world.lamports(world.keeper)];
    world.must(createTransferDca(world.keeper, order));
    expect(world.lamports(world.user)).toBe(user + 1_998n);
    expect(world.lamports(world.keeper)).toBe(keeper);
    expect(world.balance(world.tokens(world.user, WRAPPED_SOL_MINT))).toBe(HOLDING);
    expect(world.network.account(deriveDcaIntermediateAddress(order.address))).toBeNull();
    expect(world.lamports(order.outAccount)).toBe(TOKEN_RENT);
  });

  it.each([1n, 5_000_000n])('pays SOL although somebody paid %d lamports to the address between', (paid) => {
    const { world, order } = filled({ output: WRAPPED_SOL_MINT });
    const lamports = paid === 1n ? computeRentExemptMinimum(0) : paid;
    world.setWallet(deriveDcaIntermediateAddress(order.address), lamports);
    const [user, keeper] = [world.lamports(world.user), world.lamports(world.keeper)];
    world.must(createTransferDca(world.keeper, order));
    expect(world.lamports(world.user)).toBe(user + 1_998n + lamports);
    expect(world.lamports(world.keeper)).toBe(keeper);
  });

  it('pays SOL to a user who is the keeper', () => {
    const world = new DcaWorld({ output: WRAPPED_SOL_MINT });
    const order = world.open();
    world.must(...world.fill(order, 2_000n));
    const before = world.lamports(world.user);
    world.must(createTransferDca(world.user, order));
    expect(world.lamports(world.user)).toBe(before + 1_998n);
  });

  it('cannot pay a few lamports to a wallet that does not exist, whose user withdraws wrapped SOL', () => {
    const { world, order } = filled({ output: WRAPPED_SOL_MINT });
    world.setWallet(world.user, 0n);
    expect(world.refusal(createTransferDca(world.keeper, order))).toBe('InsufficientFundsForRent');
    world.must(createWithdrawDca(order, 'out', 1_998n));
    expect(world.balance(world.tokens(world.user, WRAPPED_SOL_MINT))).toBe(HOLDING + 1_998n);
  });

  it('refuses what is not the account of the user', () => {
    const { world, order } = filled();
    const other = world.network.newWallet();
    const foreign = world.hold(other, world.output, 0n);
    const own = world.hold(world.user, world.output, 0n, world.network.newAddress());
    const transfer = createTransferDca(world.keeper, order);
    expect(world.refusal(replaceAccount(transfer, 5, foreign))).toBe(2015);
    expect(world.refusal(replaceAccount(transfer, 5, world.tokens(world.user, world.input)))).toBe(2014);
    // Only the user may choose among own accounts.
    expect(world.refusal(replaceAccount(transfer, 5, own))).toBe(2009);
    expect(world.refusal(replaceAccount(transfer, 5, DCA_PROGRAM))).toBe(6011);
    expect(world.refusal(createTransferDca(world.keeper, { ...order, user: other }))).toBe(6007);
    const sol = filled({ output: WRAPPED_SOL_MINT });
    const unwrapping = createTransferDca(sol.world.keeper, sol.order);
    expect(sol.world.refusal(replaceAccount(unwrapping, 6, DCA_PROGRAM))).toBe(6043);
    expect(sol.world.refusal(replaceAccount(unwrapping, 6, sol.world.network.newAddress()))).toBe(2006);
  });
});

describe('end_and_close', () => {
  it('closes a finished order, and pays its user everything, for anybody who asks', () => {
    const { world, order } = finished();
    const stranger = world.network.newWallet();
    const [user, lamports] = [world.lamports(world.user), world.lamports(stranger)];
    const [event] = world.must(createEndAndCloseDca(stranger, order));
    expect(event).toMatchObject({
      kind: 'closed',
      totalInWithdrawn: 0n,
      totalOutWithdrawn: 1_998n,
      unfilledAmount: 0n,
      userClosed: false,
    });
    expect(world.balance(world.tokens(world.user, world.output))).toBe(HOLDING + 1_998n);
    expect(world.lamports(world.user)).toBe(user + ORDER_RENT + 2n * TOKEN_RENT);
    expect(world.lamports(stranger)).toBe(lamports);
    for (const gone of [order.address, order.inAccount, order.outAccount]) {
      expect(world.network.account(gone)).toBeNull();
    }
  });

  it('opens the account of the user, out of the rent of the order', () => {
    const { world, order } = finished();
    world.setWallet(world.tokens(world.user, world.output), 0n);
    expect(world.refusal(createEndAndCloseDca(world.keeper, order))).toBe(3012);
    const [user, keeper] = [world.lamports(world.user), world.lamports(world.keeper)];
    world.must(createEndAndCloseDca(world.keeper, order, { opensAccount: true }));
    expect(world.balance(world.tokens(world.user, world.output))).toBe(1_998n);
    expect(world.lamports(world.keeper)).toBe(keeper);
    expect(world.lamports(world.user)).toBe(user + ORDER_RENT + TOKEN_RENT);
  });

  it.each([false, true])('pays SOL as SOL (an account is offered: %s)', (opensAccount) => {
    const { world, order } = finished({ output: WRAPPED_SOL_MINT });
    const [user, keeper] = [world.lamports(world.user), world.lamports(world.keeper)];
    world.must(createEndAndCloseDca(world.keeper, order, { opensAccount }));
    expect(world.lamports(world.user)).toBe(user + 1_998n + ORDER_RENT + 2n * TOKEN_RENT);
    expect(world.lamports(world.keeper)).toBe(keeper);
  });

  it('closes an order whose input was withdrawn and that has bought nothing, for the user too', () => {
    const world = new DcaWorld();
    const order = world.open();
    world.must(createWithdrawDca(order, 'in', 600n));
    const before = world.lamports(world.user);
    world.must(createEndAndCloseDca(world.user, order));
    expect(world.lamports(world.user)).toBe(before + ORDER_RENT + 2n * TOKEN_RENT);
  });

  it('refuses an order with an atom left', () => {
    const world = new DcaWorld();
    const order = world.open({ inAmount: 101n });
    expect(world.refusal(createEndAndCloseDca(world.keeper, order))).toBe(6041);
    world.must(createWithdrawDca(order, 'in', 100n));
    expect(world.refusal(createEndAndCloseDca(world.keeper, order))).toBe(6041);
  });

  it.each([undefined, WRAPPED_SOL_MINT])(
    'refuses to take input that is left for a donation (%s)',
    (input) => {
      const world = new DcaWorld(input === undefined ? {} : { input });
      const order = world.open({ inAmount: 101n });
      world.must(...world.fill(order, 2_000n));
      expect(world.refusal(createEndAndCloseDca(world.keeper, order, { paysDonation: true }))).toBe(6041);
    },
  );

  it('is not kept from it by tokens or lamports that somebody pays to the order', () => {
    const { world, order } = finished();
    world.changeTokens(order.inAccount, { amount: 1n });
    world.changeTokens(order.outAccount, { amount: 1_999n });
    for (const address of [order.address, order.inAccount, order.outAccount]) addLamports(world, address, 3n);
    const before = world.lamports(world.user);
    expect(world.refusal(createEndAndCloseDca(world.keeper, order))).toBe(6041);
    world.must(createEndAndCloseDca(world.keeper, order, { paysDonation: true }));
    expect(world.balance(world.tokens(world.user, world.input))).toBe(HOLDING - 99n);
    expect(world.balance(world.tokens(world.user, world.output))).toBe(HOLDING + 1_999n);
    expect(world.lamports(world.user)).toBe(before + ORDER_RENT + 2n * TOKEN_RENT + 9n);
  });

  it('gives wrapped SOL that nobody deposited back as SOL', () => {
    const { world, order } = finished({ input: WRAPPED_SOL_MINT });
    world.hold(order.address, WRAPPED_SOL_MINT, 40n);
    const before = world.lamports(world.user);
    world.must(createEndAndCloseDca(world.keeper, order));
    expect(world.lamports(world.user)).toBe(before + ORDER_RENT + 2n * TOKEN_RENT + 40n);
  });

  it('refuses to pay to accounts that are not the associated ones of the user', () => {
    const { world, order } = finished();
    const other = world.network.newWallet();
    const foreign = world.hold(other, world.output, 0n);
    const own = world.hold(world.user, world.output, 0n, world.network.newAddress());
    const end = createEndAndCloseDca(world.keeper, order);
    expect(world.refusal(replaceAccount(end, 7, foreign))).toBe(2015);
    expect(world.refusal(replaceAccount(end, 7, own))).toBe(2009);
    expect(world.refusal(replaceAccount(end, 7, DCA_PROGRAM))).toBe(6011);
    expect(world.refusal(replaceAccount(end, 6, other))).toBe(6007);
    const opening = createEndAndCloseDca(world.keeper, order, { opensAccount: true });
    expect(world.refusal(replaceAccount(opening, 8, foreign))).toBe(2015);
    world.changeTokens(order.inAccount, { amount: 1n });
    const donation = createEndAndCloseDca(world.keeper, order, { paysDonation: true });
    expect(world.refusal(replaceAccount(donation, 15, world.hold(other, world.input, 0n)))).toBe(2015);
  });
});

/** A world with an order of six cycles, the first of which has bought 1,998 atoms. */
function filled(mints: { readonly input?: Address; readonly output?: Address } = {}) {
  const world = new DcaWorld(mints);
  const order = world.open();
  world.must(...world.fill(order, 2_000n));
  return { world, order: world.again(order) };
}

/** A world with an order of one cycle that is filled. */
function finished(mints: { readonly input?: Address; readonly output?: Address } = {}): {
  readonly world: DcaWorld;
  readonly order: OpenOrder;
} {
  const world = new DcaWorld(mints);
  const order = world.open({ inAmount: 100n });
  world.must(...world.fill(order, 2_000n));
  return { world, order: world.again(order) };
}

function addLamports(world: DcaWorld, address: Address, lamports: bigint): void {
  const account = world.network.account(address);
  if (account === null) throw new Error(`no account ${address}`);
  world.network.setAccount(address, { ...account, lamports: account.lamports + lamports });
}
