import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { findExecutedFiles } from './coverage.ts';

describe('findExecutedFiles', () => {
  it('returns the files of which every run calls a function', async () => {
    const always = loadFunction('file:///made-up/src/always.ts');
    const once = loadFunction('file:///made-up/src/once.ts');
    const elsewhere = loadFunction('file:///made-up/elsewhere.ts');
    loadFunction('file:///made-up/src/never.ts');
    const executed = await findExecutedFiles('file:///made-up/', 3, async (run) => {
      always();
      elsewhere();
      if (run === 1) once();
      loadFunction('file:///made-up/src/loaded.ts');
    });
    expect(executed).toEqual(['elsewhere.ts', 'src/always.ts']);
  });

  it('does not count what was called before', async () => {
    const before = loadFunction('file:///before/src/before.ts');
    before();
    expect(await findExecutedFiles('file:///before/', 1, async () => {})).toEqual([]);
  });

  it('does not count files outside the folder', async () => {
    const outside = loadFunction('file:///outside/a.ts');
    expect(await findExecutedFiles('file:///inside/', 1, async () => void outside())).toEqual([]);
  });
});

/** Runs a file that does not exist on disk, and returns its only function. */
function loadFunction(url: string): () => number {
  return new Script('const call = () => 0;\ncall;\n', { filename: url }).runInNewContext();
}
