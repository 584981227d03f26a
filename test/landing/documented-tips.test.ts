import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROGRAM_AUTHORITIES } from '../../src/protocol/venue/aggregator-program.ts';

it('docs/landing.md lists the tip accounts', () => {
  const page = readFileSync(new URL('../../docs/landing.md', import.meta.url), 'utf8');
  const [, list = ''] = /The tip accounts are these:\n\n```text\n([\s\S]*?)\n```/.exec(page) ?? [];
  expect(list.split('\n')).toEqual(PROGRAM_AUTHORITIES);
});
