import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'programs/**/*.test.ts',
      'scripts/**/*.test.ts',
      'web/src/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/target/**', 'test/differential/**'],
    pool: 'forks',
    // Vitest's own number leaves a core free, and of two cores uses one; many tests wait more than they work.
    maxWorkers: availableParallelism(),
    globalSetup: ['test/e2e/instance-pool.setup.ts'],
    setupFiles: ['test/orphans.ts', 'test/file-cost.ts', 'src/testing/waits.ts'],
    // These only end what hangs: a hook may compile the base crate, and a random suite may run in full on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
