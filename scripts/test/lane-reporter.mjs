import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * The result of one test file. A lane's process writes each as a line of JSON, so that a crash loses no file that had ended.
 *
 * @typedef {{ name: string, state: 'passed' | 'failed' | 'skipped', ms: number, errors: string[] }} TestResult
 * @typedef {{ file: string, state: 'passed' | 'failed', tests: TestResult[], errors: string[], wallMs: number,
 *   processorMs: number, starts: string[] }} FileResult
 */

/**
 * A Vitest reporter that appends each file's result to a file of JSON lines and prints one line for each test file; a failed
 * test is printed with its error at once.
 */
export class LaneReporter {
  /** @type {import('vitest/node').Vitest | undefined} */
  #vitest;
  /** The files that were reported. */
  #ended = new Set();

  /**
   * @param {string} root - The folder of the checkout, which the files in the report are relative to.
   * @param {string} resultsFile - The file to append to.
   */
  constructor(root, resultsFile) {
    this.root = root;
    this.resultsFile = resultsFile;
  }

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    this.#vitest = vitest;
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleQueued(module) {
    const begun = relative(this.root, module.moduleId);
    appendFileSync(this.resultsFile, `${JSON.stringify({ begun })}\n`);
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    this.#ended.add(module.moduleId);
    const result = this.#describe(module);
    appendFileSync(this.resultsFile, `${JSON.stringify(result)}\n`);
    const mark = result.state === 'passed' ? '✓' : '✗';
    const seconds = (result.wallMs / 1_000).toFixed(1);
    process.stdout.write(`${mark} ${result.file} (${result.tests.length} tests) ${seconds} s\n`);
    if (result.state === 'failed') this.#printErrors(module);
  }

  /** @param {{ content: string, type: string, taskId?: string }} log */
  onUserConsoleLog({ content, type }) {
    (type === 'stderr' ? process.stderr : process.stdout).write(content);
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest/node').SerializedError[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    // Vitest reports no end of a file that could not be loaded, although it knows the error.
    for (const module of modules) {
      if (!this.#ended.has(module.moduleId) && module.errors().length > 0) this.onTestModuleEnd(module);
    }
    for (const error of unhandled) {
      const path = /** @type {{ VITEST_TEST_PATH?: string }} */ (error).VITEST_TEST_PATH;
      const file = path === undefined ? null : relative(this.root, path);
      appendFileSync(this.resultsFile, `${JSON.stringify({ unhandled: describeError(error), file })}\n`);
      this.#vitest?.logger.printError(error, { fullStack: true, type: 'Unhandled error' });
    }
  }

  /** @param {import('vitest/node').TestModule} module @returns {FileResult} */
  #describe(module) {
    const { duration, setupDuration, collectDuration } = module.diagnostic();
    const meta = /** @type {{ processorMs?: number, starts?: string[] }} */ (module.meta());
    return {
      file: relative(this.root, module.moduleId),
      state: module.ok() ? 'passed' : 'failed',
      tests: [...module.children.allTests()].map(describeTest),
      errors: [...module.children.allSuites()]
        .flatMap((suite) => suite.errors())
        .concat(module.errors())
        .map(describeError),
      wallMs: Math.round(duration + setupDuration + collectDuration),
      processorMs: meta.processorMs ?? 0,
      starts: meta.starts ?? [],
    };
  }

  /** @param {import('vitest/node').TestModule} module */
  #printErrors(module) {
    const project = module.project;
    const failed = [...module.children.allTests()].filter((test) => test.result().state === 'failed');
    for (const test of failed) {
      process.stdout.write(`\n✗ ${relative(this.root, module.moduleId)} > ${test.fullName}\n`);
      for (const error of test.result().errors ?? []) this.#vitest?.logger.printError(error, { project });
    }
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    for (const error of [...module.errors(), ...suites]) this.#vitest?.logger.printError(error, { project });
  }
}

/** @param {import('vitest/node').TestCase} test @returns {TestResult} */
function describeTest(test) {
  const { state, errors = [] } = test.result();
  return {
    name: test.fullName,
    // A test that is pending when its file has ended never finished.
    state: state === 'pending' ? 'failed' : state,
    ms: Math.round(test.diagnostic()?.duration ?? 0),
    errors: errors.map(describeError),
  };
}

/** @param {{ message?: string, stack?: string }} error @returns {string} */
function describeError(error) {
  return error.stack?.includes(error.message ?? '') ? error.stack : `${error.message}\n${error.stack ?? ''}`;
}
