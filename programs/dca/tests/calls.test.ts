import { beforeAll, describe, expect, it } from 'vitest';
import { createEndAndCloseDca, createTransferDca } from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import {
  createCloseDca,
  createDepositDca,
  createWithdrawDca,
} from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { DCA_PROGRAM } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import { type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { FORWARDER } from '../../../src/testing/svm/forwarder.ts';
import { NEEDS_TOOLCHAIN, ProgramCompiler, toolchain } from '../../../src/testing/svm/program-compiler.ts';
import { prepareFills } from './fill-parts.ts';
import type { DcaWorld, OpenOrder } from './world.ts';

describe.skipIf(toolchain === null)(`a program that calls the halves of a fill (${NEEDS_TOOLCHAIN})`, () => {
  let elf: Uint8Array;
  beforeAll(async () => {
    const compiler = await ProgramCompiler.open();
    elf = await compiler.compile(FORWARDER);
    await compiler.close();
  });

  it('can call neither of them', () => {
    const { world, first, swap, second } = prepareFills();
    const refused = (...sent: readonly Instruction[]) => world.send(...sent).error;
    expect(refused(forward(world, first), ...swap, second)).toMatchObject({ instruction: 0, custom: 6024 });
    expect(refused(first, ...swap, forward(world, second))).toMatchObject({ instruction: 0, custom: 6027 });
    expect(refused(first, ...swap, forward(world, second), second)).toMatchObject({
      instruction: 3,
      custom: 6024,
    });
  });

  it.each<[string, (order: OpenOrder, world: DcaWorld) => Instruction]>([
    ['withdraw the input', (order) => createWithdrawDca(order, 'in', 1n)],
    ['withdraw the output', (order) => createWithdrawDca(order, 'out', 1n)],
    ['deposit', (order) => createDepositDca(order, 1n)],
    ['close the order', (order) => createCloseDca(order)],
    ['close it as finished', (order, world) => createEndAndCloseDca(world.keeper, order)],
    ['pay out', (order, world) => createTransferDca(world.keeper, order)],
  ])('cannot %s in between, though the user signs', (_, build) => {
    const { world, order, first, swap, second } = prepareFills();
    world.must(first, ...swap, second);
    world.now += 60n;
    const call = forward(world, build(order, world));
    const { error } = world.send(first, ...swap, call, second);
    expect(error).toMatchObject({ instruction: 3, custom: 6026 });
  });

  function forward(world: DcaWorld, { accounts, data }: Instruction): Instruction {
    const programAddress = world.network.newAddress();
    world.network.loadProgram(programAddress, elf);
    return { programAddress, accounts: [...accounts, readonly(DCA_PROGRAM)], data };
  }
});
