import { runCli } from './cli.ts';

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, without environment variables. */
export async function runForTest(
  args: readonly string[],
  cwd = '/nonexistent',
  interrupted = new AbortController().signal,
): Promise<CliRun> {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    environment: {},
    cwd,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
    interrupted: () => interrupted,
  });
  return { code, out, err };
}
