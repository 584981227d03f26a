import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../child.mjs';

/**
 * @typedef {import('./lane-reporter.mjs').FileResult} FileResult
 * @typedef {{ files: string[], isolate: boolean, workers: number }} Lane
 * @typedef {{ results: FileResult[], stray: string[] }} LaneResults `stray` has errors that belong to no file.
 */

const LANE_PROCESS = fileURLToPath(new URL('lane-process.mjs', import.meta.url));

/** Workers are replaced after so many files in total, because those that files share keep growing: to 2 GB in 280 files. */
const FILES_PER_WORKER_LIFE = 130;

/** A lane whose workers crash more often than this is broken. */
const MAX_CRASHES = 3;

/** Belongs to no file: a lane ended with a signal, as Ctrl-C sends it. */
export const STOPPED = 'The run was stopped: a lane of it ended with a signal.';

/**
 * Runs lanes side by side to their end.
 *
 * @param {string} root - The folder of the checkout.
 * @param {readonly Lane[]} lanes
 * @returns {Promise<LaneResults>} A result for every file of every lane, also of those whose worker crashed.
 */
export async function runLanes(root, lanes) {
  const ended = await Promise.all(
    lanes.filter(({ files }) => files.length > 0).map((lane) => runLane(root, lane)),
  );
  return {
    results: ended.flatMap(({ results }) => results),
    stray: ended.flatMap(({ stray }) => stray),
  };
}

/**
 * Runs a lane. A worker that crashes ends its whole lane, so the files that had not begun then run in a new process.
 *
 * @param {string} root @param {Lane} lane @returns {Promise<LaneResults>}
 */
async function runLane(root, lane) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lane-'));
  const resultsFile = join(folder, 'results.jsonl');
  const plan = { ...lane, root, resultsFile, filesPerWorkerLife: FILES_PER_WORKER_LIFE };
  try {
    for (let crashes = 0; ; crashes++) {
      const { code } = await run(process.execPath, [LANE_PROCESS, JSON.stringify(plan)], { cwd: root });
      const lines = readLines(resultsFile);
      const files = findNotBegun(lines, plan.files);
      const isOver = code === 0 || code > 128 || files.length === 0 || files.length === plan.files.length;
      if (isOver || crashes === MAX_CRASHES) return completeResults(lines, lane.files, code);
      plan.files = files;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Finds the files that a lane had not begun when it ended.
 *
 * @param {readonly string[]} lines - JSON lines, as `LaneReporter` writes them.
 * @param {readonly string[]} files - The files of the lane.
 * @returns {string[]}
 */
export function findNotBegun(lines, files) {
  const begun = new Set(parseLines(lines).flatMap((entry) => entry.begun ?? entry.file ?? []));
  return files.filter((file) => !begun.has(file));
}

/**
 * Parses the lines of a lane. The last one may be torn, if its process was killed or the disk was full.
 *
 * @param {readonly string[]} lines @returns {any[]}
 */
function parseLines(lines) {
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** @param {string} file @returns {string[]} */
function readLines(file) {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/**
 * Turns the lines of a lane into results. A file without a line failed, because its worker or the lane crashed. An error
 * outside any test fails the file in which it arose.
 *
 * @param {readonly string[]} lines - JSON lines, as `LaneReporter` writes them.
 * @param {readonly string[]} files - The files of the lane.
 * @param {number} code - The exit code of the lane's process.
 * @returns {LaneResults}
 */
export function completeResults(lines, files, code) {
  /** @type {Map<string, FileResult>} */
  const byFile = new Map();
  /** @type {{ unhandled: string, file: string | null }[]} */
  const unhandled = [];
  for (const entry of parseLines(lines)) {
    if ('unhandled' in entry) unhandled.push(entry);
    else if ('tests' in entry) byFile.set(entry.file, entry);
  }
  const stray = code > 128 ? [STOPPED] : [];
  for (const file of files) {
    if (!byFile.has(file)) byFile.set(file, crashed(file));
  }
  for (const { unhandled: error, file } of unhandled) {
    const result = file === null ? undefined : byFile.get(file);
    if (result === undefined) stray.push(error);
    else {
      result.state = 'failed';
      result.errors.push(error);
    }
  }
  const results = [...byFile.values()];
  if (code !== 0 && stray.length === 0 && results.every(({ state }) => state === 'passed')) {
    stray.push(`A lane of the test run ended with code ${code}, although none of its files failed.`);
  }
  return { results, stray };
}

/** @param {string} file @returns {FileResult} */
function crashed(file) {
  const errors = ['The file did not end: its worker crashed, or the run was stopped.'];
  return { file, state: 'failed', tests: [], errors, wallMs: 0, processorMs: 0, starts: [] };
}
