import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../command-line/command-line.ts';

/**
 * Asks on the terminal. Anything but `yes` counts as no.
 *
 * @throws UsageError when there is no terminal to ask on.
 */
export async function awaitConfirmation(question: string): Promise<boolean> {
  const { stdin: input, stderr: output } = process;
  if (input.isTTY !== true) {
    throw new UsageError('there is no terminal to ask for confirmation on; give --yes to confirm');
  }
  const terminal = createInterface({ input, output });
  try {
    return (await terminal.question(`${question} Answer yes to go on: `)).trim() === 'yes';
  } finally {
    terminal.close();
  }
}
