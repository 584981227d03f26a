import { OperatorError } from '../../common/operator-error.ts';
import { addressBytes } from '../../solana/address.ts';
import type { ProgramBinary } from './program-binary.ts';

/**
 * Lets the virtual machine load and verify each program, apart from the network: a program that does not load would
 * take the network down with it.
 *
 * @throws OperatorError with the virtual machine's reason
 */
export async function verifyPrograms(programs: readonly ProgramBinary[]): Promise<void> {
  if (programs.length === 0) return;
  const { LiteSvm } = await import('litesvm/dist/internal.js');
  const svm = new LiteSvm();
  for (const { address, elf } of programs) {
    try {
      svm.addProgram(addressBytes(address), elf);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`the program for ${address} does not load: ${reason}`);
    }
  }
}
