import { readLine } from './command-line/read-line.ts';
import { runCli } from './cli.ts';

/** The exit code of a program that SIGPIPE ended, because the reader of its output has closed the pipe. */
const NOT_READ = 141;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(NOT_READ);
  throw error;
});

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  readLine,
  interrupted: () => {
    const controller = new AbortController();
    process.once('SIGINT', () => controller.abort());
    return controller.signal;
  },
});
process.exitCode = code;
// A command that failed halfway, or a server that does not answer, may leave handles open that would keep the process
// running.
setTimeout(() => process.exit(code), 3_000).unref();
