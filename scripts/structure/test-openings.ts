import type { SourceTree } from './source-tree.ts';

/** What stands above the first test of a test file. */
export interface TestOpening {
  readonly path: string;
  readonly lines: number;
}

const FIRST_TEST =
  /^[ \t]*(?:it|test)(?:\.(?:concurrent|each|fails|for|only|runIf|sequential|skip|skipIf|todo))*[(<`]/m;

/** Returns how many lines of each test file stand above its first test, the most first. Files that call a suite have none. */
export function findTestOpenings(tree: SourceTree): readonly TestOpening[] {
  const openings: TestOpening[] = [];
  for (const [path, text] of tree) {
    const first = path.endsWith('.test.ts') ? FIRST_TEST.exec(text) : null;
    if (first !== null) openings.push({ path, lines: text.slice(0, first.index).split('\n').length - 1 });
  }
  return openings.sort((one, other) => other.lines - one.lines || one.path.localeCompare(other.path));
}

/** Returns the lines of the median file: at least half of the files have no more. */
export function computeMedianOpening(openings: readonly TestOpening[]): number {
  return openings[Math.floor(openings.length / 2)]?.lines ?? 0;
}
