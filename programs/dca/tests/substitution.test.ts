import { describe, expect, it } from 'vitest';
import { createEndAndCloseDca, createTransferDca } from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import {
  createCloseDca,
  createDepositDca,
  createOpenDca,
  createOpenDcaV1,
  createWithdrawDca,
  createWithdrawDcaFees,
} from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import { AccountRole, type Instruction, isSigner } from '../../../src/solana/messages/instruction.ts';
import { WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { DcaWorld, type OpenOrder } from './world.ts';

describe('an instruction with another account in any place', () => {
  it.each<[string, (world: DcaWorld, order: OpenOrder) => readonly Instruction[]]>([
    ['open_dca', (world) => [createOpenDcaV1(world.opening(), false)]],
    ['deposit', (_, order) => [createDepositDca(order, 10n)]],
    ['withdraw of the input', (_, order) => [createWithdrawDca(order, 'in', 10n)]],
    ['withdraw of the output', (_, order) => [createWithdrawDca(order, 'out', 10n)]],
    ['close_dca', (_, order) => [createCloseDca(order)]],
    ['transfer', (world, order) => [createTransferDca(world.keeper, order)]],
    ['end_and_close', (world, order) => [createEndAndCloseDca(world.keeper, order)]],
  ])('is refused, or does the same: %s', (name, build) => {
    const { world, order, others } = attacked(name === 'end_and_close' ? 100n : 600n);
    const found = substituteAccounts(world.network, build(world, order), others);
    expect(found.surprises).toEqual([]);
    expect(found.refused).toBeGreaterThan(15);
  });

  it.each([['transfer'], ['end_and_close']])('is refused, or does the same: %s of SOL', (name) => {
    const { world, order, others } = attacked(100n, WRAPPED_SOL_MINT);
    const build = name === 'transfer' ? createTransferDca : createEndAndCloseDca;
    const found = substituteAccounts(world.network, [build(world.keeper, order)], others);
    expect(found.surprises).toEqual([]);
    expect(found.refused).toBeGreaterThan(15);
  });

  it('is refused, or takes the rent from another wallet that signs: open_dca_v2', () => {
    const { world, others } = attacked();
    const found = substituteAccounts(world.network, [createOpenDca(world.opening(), world.market)], others);
    const PAYER = 2;
    expect(found.surprises.filter(({ index }) => index !== PAYER)).toEqual([]);
    expect(found.refused).toBeGreaterThan(15);
  });

  it('is refused, or pays to the account that the admin names: withdraw_fees', () => {
    const { world, others } = attacked();
    const receiver = world.tokens(world.user, world.output);
    const withdraw = createWithdrawDcaFees(world.admin, { mint: world.output, amount: 1n, receiver });
    const found = substituteAccounts(world.network, [withdraw], others);
    const RECEIVER = 4;
    expect(found.surprises.filter(({ index }) => index !== RECEIVER)).toEqual([]);
    expect(found.refused).toBeGreaterThan(15);
  });

  it.each([false, true])(
    'is refused, or does the same: both halves of a fill (in both: %s)',
    (everywhere) => {
      const { world, order, others } = attacked();
      world.now += 60n;
      const found = substituteAccounts(world.network, world.fill(order, 2_000n), others, everywhere);
      // The swap between the halves is not the program's.
      const own = found.surprises.filter(({ instruction }) => instruction === 0 || instruction === 3);
      expect(own).toEqual([]);
      expect(found.refused).toBeGreaterThan(60);
    },
  );
});

describe('an instruction without a signature', () => {
  it.each<[string, (world: DcaWorld, order: OpenOrder) => readonly Instruction[], number]>([
    ['open_dca', (world) => [createOpenDcaV1(world.opening(), false)], 1],
    ['open_dca_v2', (world) => [createOpenDca(world.opening(), world.market)], 2],
    ['deposit', (_, order) => [createDepositDca(order, 10n)], 1],
    ['withdraw', (_, order) => [createWithdrawDca(order, 'in', 10n)], 1],
    ['close_dca', (_, order) => [createCloseDca(order)], 1],
    ['transfer', (world, order) => [createTransferDca(world.keeper, order)], 1],
    ['end_and_close', (world, order) => [createEndAndCloseDca(world.keeper, order)], 1],
    [
      'withdraw_fees',
      (world) => {
        const receiver = world.tokens(world.user, world.output);
        return [createWithdrawDcaFees(world.admin, { mint: world.output, amount: 1n, receiver })];
      },
      1,
    ],
  ])('is refused: %s', (name, build, signers) => {
    const { world, order } = attacked(name === 'end_and_close' ? 100n : 600n);
    const [instruction] = build(world, order);
    if (instruction === undefined) throw new Error('one instruction is built');
    const unsigned = instruction.accounts.flatMap((meta, at) =>
      isSigner(meta.role) ? [withRole(instruction, at, meta.role & AccountRole.WRITABLE)] : [],
    );
    expect(unsigned).toHaveLength(signers);
    for (const each of unsigned) expect(world.refusal(each)).toBe(3010);
    world.must(instruction);
  });

  function withRole(instruction: Instruction, at: number, role: number): Instruction {
    const accounts = instruction.accounts.map((meta, index) =>
      index === at ? { ...meta, role: role as AccountRole } : meta,
    );
    return { ...instruction, accounts };
  }
});

/**
 * A world with an order that has bought something, and accounts of a stranger like those of its instructions: a wallet, its
 * tokens, its own order that has bought the same, and a second order of the same user.
 */
function attacked(inAmount = 600n, output?: Address) {
  const world = new DcaWorld(output === undefined ? {} : { output });
  const stranger = world.network.newWallet();
  const tokens = [world.input, world.output].map((mint) => world.hold(stranger, mint, 1_000_000n));
  const orders = [
    world.open({ inAmount }),
    world.open({ inAmount }),
    world.open({ inAmount, user: stranger }),
  ].map((order) => {
    world.must(...world.fill(order, 2_000n));
    return world.again(order);
  });
  const [order, ...equal] = orders;
  if (order === undefined) throw new Error('three orders are open');
  const others = [
    stranger,
    ...tokens,
    ...equal.flatMap(({ address, inAccount, outAccount }) => [address, inAccount, outAccount]),
  ];
  return { world, order, others };
}
