import { runCli } from './cli.ts';

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
});
process.exitCode = code;
// What has failed half-way, or a server that says nothing, may have left something open that would keep the process.
setTimeout(() => process.exit(code), 3_000).unref();
