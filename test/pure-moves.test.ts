import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

describe('.git-blame-ignore-revs', () => {
  it('has full hashes, each once, and each below a comment that says what moved', () => {
    expect(hashes.length).toBeGreaterThan(0);
    expect(hashes.filter((line) => !/^[0-9a-f]{40}$/.test(line))).toEqual([]);
    expect(new Set(hashes).size).toBe(hashes.length);
    const comments = lines.flatMap((line, index) => (hashes.includes(line) ? [lines[index - 1] ?? ''] : []));
    expect(comments.filter((line) => !/^# \w/.test(line))).toEqual([]);
  });

  it.skipIf(history === null)('names commits of the history', () => {
    expect(hashes.filter((hash) => history?.has(hash) !== true)).toEqual([]);
  });
});

const root = fileURLToPath(new URL('..', import.meta.url));
const lines = readFileSync(new URL('../.git-blame-ignore-revs', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const hashes = lines.filter((line) => line !== '' && !line.startsWith('#'));
const history = readHistory();

/** Returns the hashes of all commits. Null without a repository, and in a shallow clone, which has only the newest commits. */
function readHistory(): ReadonlySet<string> | null {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') return null;
    return new Set(git('rev-list', 'HEAD').split('\n'));
  } catch {
    return null;
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
