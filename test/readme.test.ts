import { existsSync, readFileSync } from 'node:fs';
import { ROOMS } from '../scripts/rooms/rooms.ts';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/cli/cli.ts';

describe.each(['README.md', 'CONTRIBUTING.md', 'docs/decisions/README.md'])('%s', (file) => {
  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !existsSync(new URL(link, new URL(file, root))))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = [...text.matchAll(/`npm (?:run )?([a-z:]+)/g)].map((match) => match[1]);
    expect(named.filter((name) => name !== 'ci' && !Object.hasOwn(scripts, name ?? ''))).toEqual([]);
  });

  const text = read(file);
});

describe('README.md', () => {
  it('names every command, itself or where it sends those who manage keys', () => {
    const texts = text + read('docs/platform.md') + read('docs/makers.md');
    for (const { name } of COMMANDS.filter((command) => command.name !== 'start'))
      expect(texts).toContain(`sluice ${name}`);
  });

  it('draws every room that there is', () => {
    const picture = /```text\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    for (const { name } of ROOMS) {
      expect(picture).toContain(`${name}/`);
    }
  });

  const text = read('README.md');
});

const root = new URL('../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
