import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { listTestFiles, sortLargestFirst } from './test-files.mjs';
import { openTestFolder } from '../../src/testing/test-folder.ts';

let root: string;
beforeEach(setUp);

it('listTestFiles lists the test files of all folders, without built and differential ones', () => {
  expect(listTestFiles(root)).toEqual([
    'programs/p/tests/medium.test.ts',
    'scripts/tiny.test.ts',
    'src/a/small.test.ts',
    'test/e2e/large.test.ts',
    'web/src/page.test.ts',
  ]);
});

it('sortLargestFirst counts the suite that a file runs', () => {
  expect(sortLargestFirst(root, listTestFiles(root))).toEqual([
    'test/e2e/large.test.ts',
    'programs/p/tests/medium.test.ts',
    'web/src/page.test.ts',
    'src/a/small.test.ts',
    'scripts/tiny.test.ts',
  ]);
});

const FILES = {
  'src/a/small.test.ts': 'x',
  'src/a/small.ts': 'no test',
  'test/differential/other.test.ts': 'not in npm test',
  'test/e2e/large-suite.ts': 'x'.repeat(1_000),
  'test/e2e/large.test.ts': "import { describeLarge } from './large-suite.ts';",
  'programs/p/target/built.test.ts': 'built',
  'programs/p/tests/medium.test.ts': 'x'.repeat(500),
  'scripts/tiny.test.ts': '',
  'web/src/page.test.ts': 'x'.repeat(2),
};

function setUp(): void {
  root = openTestFolder('test-files');
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}
