import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('docs/lifecycle.md', () => {
  it('lists the steps in the order in which steps.ts adds them', () => {
    const source = read('src/gateway/server/steps.ts');
    const added = [...source.matchAll(/\b(add\w+)\(app, |\b(add\w+)\(app\);/g)].map(
      ([, one, other]) => one ?? other,
    );
    const listed = [...page.matchAll(/^\|[^|]+\| `(add\w+)` \|/gm)].map(([, name]) => name);
    expect(added.length).toBeGreaterThan(10);
    expect(listed).toEqual(added);
  });

  it('names files that exist', () => {
    const files = [...page.matchAll(/`(src\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });

  const page = read('docs/lifecycle.md');
});

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
