import { runCli } from './cli.ts';

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
});
process.exitCode = code;
// A command that failed halfway, or a server that does not answer, may leave handles open that would keep the process
// running.
setTimeout(() => process.exit(code), 3_000).unref();
