import { beforeAll, describe, expect, it } from 'vitest';
import { LIMIT_ORDER_PROGRAM } from '../../../src/protocols/jupiter-limit-order/program.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { FORWARDER } from '../../../src/testing/svm/forwarder.ts';
import { NEEDS_TOOLCHAIN, ProgramCompiler, toolchain } from '../../../src/testing/svm/program-compiler.ts';
import { CODE, LimitWorld, START } from './world.ts';

describe.skipIf(toolchain === null)(`a program that calls this one (${NEEDS_TOOLCHAIN})`, () => {
  let elf: Uint8Array;
  beforeAll(async () => {
    const compiler = await ProgramCompiler.open();
    elf = await compiler.compile(FORWARDER);
    await compiler.close();
  });

  it('borrows nothing', () => {
    const world = new LimitWorld();
    const order = world.place();
    const forwarded = forward(world, world.pre(order, 10n));
    expect(world.refusal(forwarded, world.flash(order))).toBe(CODE.ProgramMismatch);
  });

  it('cannot use up a loan, nor cancel the order, between the two instructions', () => {
    const world = new LimitWorld();
    const order = world.place({ expiredAt: START + 60n });
    const [pre, flash] = [world.pre(order, 10n), world.flash(order)];
    // The loan is paid for within the call, so that the second flash fill finds none.
    expect(world.refusal(pre, forward(world, flash), flash)).toBe(CODE.InvalidBorrowMakingAmount);
    expect(world.refusal(pre, forward(world, flash))).toBe(CODE.MissingRepayInstructions);
    const cancelled = forward(world, world.cancel(order));
    expect(world.refusal(pre, cancelled, flash)).toBe(CODE.InvalidBorrowMakingAmount);
    expect(world.read(order)).toMatchObject({ making: 1_000_000n, borrowedMaking: 0n });
  });

  it('may fill and cancel other orders in between, which changes nothing of this one', () => {
    const world = new LimitWorld();
    const [order, other] = [world.place(), world.place()];
    world.must(world.pre(order, 10n), forward(world, world.cancel(other)), world.flash(order));
    expect(world.read(order)?.making).toBe(999_990n);
    expect(world.balance(world.maker, world.output)).toBe(4n);
  });

  function forward(world: LimitWorld, { accounts, data }: Instruction): Instruction {
    const programAddress = world.network.newAddress();
    world.network.loadProgram(programAddress, elf);
    return { programAddress, accounts: [...accounts, readonly(LIMIT_ORDER_PROGRAM)], data };
  }
});
