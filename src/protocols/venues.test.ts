import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VENUES } from './venues.ts';

const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('VENUES', () => {
  it('registers each folder, under its own name', () => {
    const programs = VENUES.map(({ genesis }) => genesis?.programs.map(({ name }) => name) ?? []);
    expect(VENUES).toHaveLength(folders.length);
    for (const folder of folders) expect(programs.filter((names) => names.includes(folder))).toHaveLength(1);
  });

  it.each(folders)('has a crate that bears the name of the folder: %s', (folder) => {
    expect(existsSync(new URL(`../../programs/${folder}/Cargo.toml`, import.meta.url))).toBe(true);
  });
});
