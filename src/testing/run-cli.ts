import { runCli } from '../cli/cli.ts';

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command in this process, with no other environment variables than the given ones.
 *
 * @param input - The line that the command reads from its standard input.
 */
export async function runForTest(
  args: readonly string[],
  cwd = '/nonexistent',
  environment: NodeJS.ProcessEnv = {},
  input = '',
): Promise<CliRun> {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    environment,
    cwd,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
    readLine: async () => input,
    interrupted: () => new AbortController().signal,
  });
  return { code, out, err };
}
