import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeRounds, FAILOVERS, parseArguments, runUntilStopped } from './long.mjs';
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

it('says which programs are missing where failovers are skipped, in part or all of them', () => {
  const file = 'test/load-balancers/recipes.test.ts';
  const describeStates = (...states: readonly ('passed' | 'skipped')[]) => {
    const tests = states.map((state, index) => {
      const name = `the recipe (skipped without ${['nginx', 'caddy'][index]}) > answers`;
      return { name, state, ms: 1, errors: [] };
    });
    return describeRounds([
      { file, state: 'passed', tests, errors: [], wallMs: 1, processorMs: 1, starts: [] },
    ]);
  };
  expect(describeStates('passed', 'passed')).toEqual([`${file} ran 1 times, and passed 1 times.`]);
  expect(describeStates('passed', 'skipped')).toEqual([
    `${file} ran 1 times, and passed 1 times. Without caddy, a part was skipped.`,
  ]);
  expect(describeStates('skipped', 'skipped')).toEqual([
    `${file} was skipped: it needs nginx, haproxy or caddy.`,
  ]);
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
