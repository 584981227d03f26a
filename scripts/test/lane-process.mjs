// A lane of the test run: one Vitest in a process of its own. Its only argument is a plan as JSON.
import { join } from 'node:path';
import { BaseSequencer, createVitest } from 'vitest/node';
import { LaneReporter } from './lane-reporter.mjs';

/**
 * @typedef {object} LanePlan
 * @property {string} root - The folder of the checkout.
 * @property {string[]} files - Test files, relative to the root, in the order in which they begin.
 * @property {boolean} isolate - Whether every file gets a process of its own.
 * @property {number} workers - How many files run at once.
 * @property {number} filesPerWorkerLife - After this many files at most, all workers are replaced.
 * @property {string} resultsFile - Where the results are appended.
 */

const plan = /** @type {LanePlan} */ (JSON.parse(process.argv[2] ?? ''));

/** Keeps the order of the plan; Vitest knows how long files take only where they have run before. */
class PlannedOrder extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    return files;
  }
}

const vitest = await createVitest('test', {
  root: plan.root,
  run: true,
  watch: false,
  // Otherwise an `it.only` hides the other tests of its file.
  allowOnly: false,
  maxWorkers: plan.workers,
  minWorkers: 1,
  sequence: { sequencer: PlannedOrder },
  poolOptions: { forks: { isolate: plan.isolate } },
  reporters: [new LaneReporter(plan.root, plan.resultsFile)],
});

try {
  await vitest.init();
  const found = new Map((await vitest.globTestSpecifications()).map((each) => [each.moduleId, each]));
  const specifications = plan.files.flatMap((file) => found.get(join(plan.root, file)) ?? []);
  for (const batch of inBatches(specifications, plan.filesPerWorkerLife)) {
    await vitest.runTestSpecifications(batch);
  }
} finally {
  await vitest.close();
}

/**
 * Workers without isolation end after each call of `runTestSpecifications`, so a batch is a life of the workers.
 *
 * @template T @param {readonly T[]} all @param {number} size @returns {T[][]}
 */
function inBatches(all, size) {
  const batches = Math.max(1, Math.ceil(all.length / size));
  // Every batch has files of all folders, so that the batches take about as long as each other.
  return Array.from({ length: batches }, (_, batch) => all.filter((_, index) => index % batches === batch));
}
