import { startVitest } from 'vitest/node';

// The suite leaves these tests out: they need dumps of public programs, which are no part of the project.
process.env.SLUICE_TEST_LONG = '1';
const vitest = await startVitest('test', process.argv.slice(2), {
  config: false,
  watch: false,
  include: ['test/differential/**/*.test.ts'],
  pool: 'forks',
  testTimeout: 600_000,
});
await vitest?.close();
