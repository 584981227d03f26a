import { OperatorError } from '../../common/operator-error.ts';
import { toAddressBytes } from '../../solana/address.ts';
import type { ProgramBinary } from './program-binary.ts';

/**
 * Loads each program into a separate virtual machine, which verifies it. A program that fails to load would otherwise
 * end the embedded network.
 *
 * @throws OperatorError with the virtual machine's reason when a program does not load.
 */
export async function verifyPrograms(programs: readonly ProgramBinary[]): Promise<void> {
  if (programs.length === 0) return;
  const { LiteSvm } = await import('litesvm/dist/internal.js');
  const svm = new LiteSvm();
  for (const { address, elf } of programs) {
    try {
      svm.addProgram(toAddressBytes(address), elf);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`the program for ${address} does not load: ${reason}`);
    }
  }
}
