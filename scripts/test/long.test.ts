import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FAILOVERS, parseArguments, runUntilStopped } from './long.mjs';
import { STOPPED } from './run-lanes.mjs';
import { listTestFiles } from './test-files.mjs';

it('takes the seed of a run from the date', () => {
  expect(parseArguments([], NOW)).toEqual({ seed: '20261127', prefixes: [] });
});

it('takes a seed and the beginnings of files', () => {
  expect(parseArguments(['src/solana/', '--seed', '7', 'programs/'], NOW)).toEqual({
    seed: '7',
    prefixes: ['src/solana/', 'programs/'],
  });
});

it.each([['--seed'], ['--seed', 'today'], ['--seed', '-1']])('refuses %s %s', (...args) => {
  expect(() => parseArguments(args, NOW)).toThrow('--seed must be a whole number');
});

it('repeats files that exist', () => {
  const files = listTestFiles(fileURLToPath(new URL('../..', import.meta.url)));
  for (const { file } of FAILOVERS) expect(files).toContain(file);
});

it('begins no further part of a run that was stopped', async () => {
  const began: string[] = [];
  const part =
    (name: string, ...stray: string[]) =>
    async () => {
      began.push(name);
      return { results: [], stray };
    };
  const ran = await runUntilStopped([part('first', 'an error'), part('second', STOPPED), part('third')]);
  expect(began).toEqual(['first', 'second']);
  expect(ran.flatMap(({ stray }) => stray)).toEqual(['an error', STOPPED]);
});

const NOW = new Date('2026-11-27T23:59:00Z');
