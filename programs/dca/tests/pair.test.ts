import { describe, expect, it } from 'vitest';
import { createFulfillFlashFill } from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import { createOpenDca, createWithdrawDca } from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { DCA_FEE_AUTHORITY, DCA_PROGRAM } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { type FillWorld, prepareFills } from './fill-parts.ts';
import { replaceAccount } from './world.ts';

describe('the two halves of a fill', () => {
  it.each<[string, (parts: FillWorld) => readonly Instruction[], number, number]>([
    ['no second half', ({ first, swap }) => [first, ...swap], 0, 6027],
    ['the second half first', ({ first, swap, second }) => [second, first, ...swap], 0, 6039],
    ['the second half alone', ({ second }) => [second], 0, 6039],
    ['two second halves', ({ first, swap, second }) => [first, ...swap, second, second], 4, 6039],
    [
      'a second half behind that of another fill',
      ({ first, swap, second, other }) => [first, ...swap, second, other.second],
      4,
      6039,
    ],
    ['two first halves', ({ first, swap, second }) => [first, first, ...swap, second], 0, 6026],
    [
      'one fill within another',
      ({ first, swap, second, other }) => [first, other.first, ...other.swap, other.second, ...swap, second],
      0,
      6026,
    ],
    ['crossed fills', ({ first, swap, second, other }) => [first, ...swap, other.second, second], 0, 6023],
    [
      'the second half of another keeper',
      ({ world, order, first, swap }) => [first, ...swap, createFulfillFlashFill(world.user, order, 1n)],
      0,
      6023,
    ],
    [
      'a second half with another account of the keeper',
      ({ world, first, swap, second }) => [
        first,
        ...swap,
        replaceAccount(second, 4, world.tokens(world.user, world.input)),
      ],
      0,
      6023,
    ],
    [
      'a second half with another account of the order',
      ({ first, swap, second, other }) => [first, ...swap, replaceAccount(second, 6, other.order.outAccount)],
      0,
      6023,
    ],
    [
      'a second half with another mint',
      ({ world, first, swap, second }) => [first, ...swap, replaceAccount(second, 2, world.output)],
      0,
      6023,
    ],
    [
      'a second half without accounts',
      ({ first, swap, second }) => [first, ...swap, { ...second, accounts: [] }],
      0,
      6023,
    ],
    [
      'a second half that pays nothing',
      ({ world, order, first, swap }) => [first, ...swap, createFulfillFlashFill(world.keeper, order, 0n)],
      0,
      6025,
    ],
    [
      'a second half without its argument',
      ({ first, swap, second }) => [first, ...swap, { ...second, data: second.data.subarray(0, 15) }],
      0,
      6025,
    ],
    [
      'a withdrawal in between',
      ({ order, first, swap, second }) => [first, createWithdrawDca(order, 'in', 1n), ...swap, second],
      0,
      6031,
    ],
    [
      'an order that is opened in between',
      ({ world, first, swap, second }) => [first, createOpenDca(world.opening()), ...swap, second],
      0,
      6031,
    ],
  ])('are refused with %s', (_, build, instruction, code) => {
    const parts = prepareFills();
    const { world, order } = parts;
    const { error, logs } = world.send(...build(parts));
    expect(error, logs.join('\n')).toMatchObject({ instruction, custom: code });
    expect(world.again(order)).toEqual(order);
    expect(world.balance(order.inAccount)).toBe(600n);
  });

  it('are refused for who is not a keeper, in the second one', () => {
    const { world, order } = prepareFills();
    const stranger = world.network.newWallet();
    const { error } = world.send(...world.fill(order, 2_000n, stranger));
    expect(error).toMatchObject({ instruction: 3, custom: 6015 });
  });

  it('are refused with a list of keepers at another address', () => {
    const { world, first, swap, second } = prepareFills();
    const forged = world.network.newAddress();
    const list = world.network.account(second.accounts[7]?.address ?? forged);
    world.network.setData(forged, DCA_PROGRAM, list?.data ?? new Uint8Array(0));
    expect(world.refusal(first, ...swap, replaceAccount(second, 7, forged))).toBe(2006);
  });

  it('are refused with another account for the fee than the one that is emptied', () => {
    const { world, first, swap, second } = prepareFills();
    const { address: owner } = DCA_FEE_AUTHORITY;
    const other = world.hold(owner, world.output, 0n, world.network.newAddress());
    expect(world.refusal(first, ...swap, replaceAccount(second, 8, other))).toBe(2009);
    const foreign = world.hold(world.keeper, world.output, 0n);
    expect(world.refusal(first, ...swap, replaceAccount(second, 8, foreign))).toBe(2015);
  });

  it('are refused with another account as the sysvar of instructions', () => {
    const { world, first, swap, second } = prepareFills();
    const forged = world.network.newAddress();
    world.network.setData(forged, DCA_PROGRAM, new Uint8Array(500));
    expect(world.refusal(replaceAccount(first, 6, forged), ...swap, second)).toBe(2012);
    expect(world.refusal(first, ...swap, replaceAccount(second, 9, forged))).toBe(2012);
  });

  it('may follow one another in a transaction, for different orders', () => {
    const { world, order, first, swap, second, other } = prepareFills();
    world.must(first, ...swap, second, other.first, ...other.swap, other.second);
    expect(world.again(order).inUsed).toBe(100n);
    expect(world.again(other.order).inUsed).toBe(100n);
  });

  it('fill one cycle of an order, however often they stand in a transaction', () => {
    const { world, first, swap, second } = prepareFills();
    const { error } = world.send(first, ...swap, second, first, ...swap, second);
    expect(error).toMatchObject({ instruction: 4, custom: 6018 });
  });
});
