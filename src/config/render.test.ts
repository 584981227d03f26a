import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadSettings } from './load.ts';
import { renderEffective, renderMarkdown, renderTable } from './render.ts';
import { SETTING_NAMES, type SettingName } from './settings/settings.ts';

it('renderEffective shows every setting with its value and its source', () => {
  const lines = effective([['rest-port', ['0']]])
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(lines[0]).toEqual(['setting', 'value', 'from']);
  expect(lines.slice(1).map(([name]) => name)).toEqual(SETTING_NAMES);
  expect(lines).toContainEqual(['rest-port', '0', 'flag --rest-port']);
  expect(lines).toContainEqual(['seed', '"sluice"', 'default']);
});

it('renderTable replaces control characters', () => {
  const hostile = 'a\x1b[31m\x9b2J\u202e\n\tb é 漢';
  expect(renderTable([['x'], [hostile]])).toBe('x\na\uFFFD[31m\uFFFD2J\uFFFD\uFFFD\uFFFDb é 漢\n');
});

it('renderEffective masks secrets that are set', () => {
  const text = effective([['clone-from', ['https://rpc.example/?api-key=sesame']]]);
  expect(text).not.toContain('sesame');
  expect(text).toMatch(/clone-from +\*{8} +flag --clone-from/);
  expect(effective([])).toMatch(/clone-from +"" +default/);
});

it('renderMarkdown returns the text of docs/configuration.md (npm run docs:configuration writes it)', () => {
  expect(readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')).toBe(
    renderMarkdown(),
  );
});

const effective = (flags: readonly (readonly [SettingName, readonly string[]])[]) =>
  renderEffective(loadSettings({ flags: new Map(flags), environment: {}, file: null, cwd: '/nonexistent' }));
