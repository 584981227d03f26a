import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AS_THE_PUBLIC_SERVICE, startInstance } from '../conformance/instance.ts';
import { namedDifferences } from '../conformance/statement.ts';
import { STATEMENTS } from '../conformance/statements/index.ts';
import { openWorld } from '../conformance/world.ts';
import { openForAll } from '../src/testing/opened.ts';

const instance = openForAll(() => startInstance(AS_THE_PUBLIC_SERVICE), 'stop');
const world = openForAll(() => openWorld(instance));

describe('the statements that existing clients rely on', () => {
  it('have ids of their own', () => {
    expect(new Set(STATEMENTS.map(({ id }) => id)).size).toBe(STATEMENTS.length);
  });

  it.each(STATEMENTS.filter(({ id }) => !named.has(id)))('$id: $says', async ({ check }) => {
    expect(await check(world)).toBeNull();
  });

  it.each(STATEMENTS.filter(({ id }) => named.has(id)))('$id differs on purpose', async ({ check }) => {
    expect(await check(world)).not.toBeNull();
  });

  it('are what docs/compatibility.md names', () => {
    const ids = STATEMENTS.map(({ id }) => id);
    expect([...named].filter((id) => !ids.includes(id))).toEqual([]);
  });
});

const named = namedDifferences(readFileSync(new URL('../docs/compatibility.md', import.meta.url), 'utf8'));
