import { runCli } from './cli.ts';

const code = await runCli(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
});
process.exitCode = code;
