import { isMainThread } from 'node:worker_threads';

/**
 * Ends a worker whose test run was killed. Vitest's workers otherwise go on for ever: what they have to report meets a
 * closed channel, and that error is reported in turn.
 */
const shared = globalThis as { endsWithTestRun?: true };
if (shared.endsWithTestRun === undefined && isMainThread && process.send !== undefined) {
  shared.endsWithTestRun = true;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
