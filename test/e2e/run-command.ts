import { environmentForInstances } from './instance.ts';

/** What a command left: what its process would have written, and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/**
 * Runs a command of `sluice` in this process, with the environment that an instance has. A process of its own costs many
 * times as much; use `Instance` where the process is the point: its exit code, signals, standard streams or the binary.
 *
 * @param args - The words and flags after the name of the program.
 * @param folder - The working directory, in which the command looks for `.sluice` and from which relative paths start.
 * @param input - The line that the command reads from its standard input.
 */
export async function runCommand(
  args: readonly string[],
  folder: string,
  input = '',
): Promise<CommandResult> {
  // A file that calls no command does not pay for loading the command line.
  const { runForTest } = await import('../../src/testing/run-cli.ts');
  const { code, out, err } = await runForTest(args, folder, environmentForInstances(), input);
  return { code, out, error: err };
}
