import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import { LaneReporter } from '../../scripts/test/lane-reporter.mjs';

// The suite leaves these tests out: they need dumps of public programs, which are no part of the project. Whoever runs them
// has them run in full.
process.env.SLUICE_TEST_LONG = '1';

const RESULTS = '--results=';
const args = process.argv.slice(2);
const resultsFile = args.find((arg) => arg.startsWith(RESULTS))?.slice(RESULTS.length);
const root = fileURLToPath(new URL('../..', import.meta.url));

const vitest = await startVitest(
  'test',
  args.filter((arg) => !arg.startsWith(RESULTS)),
  {
    config: false,
    watch: false,
    include: ['test/differential/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 600_000,
    ...(resultsFile === undefined ? {} : { reporters: [new LaneReporter(root, resultsFile)] }),
  },
);
await vitest?.close();
