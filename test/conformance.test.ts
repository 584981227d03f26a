import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AS_THE_PUBLIC_SERVICE, type RunningInstance, startInstance } from '../conformance/instance.ts';
import { namedDifferences } from '../conformance/statement.ts';
import { STATEMENTS } from '../conformance/statements/index.ts';
import { openWorld, type World } from '../conformance/world.ts';

const named = namedDifferences(readFileSync(new URL('../docs/compatibility.md', import.meta.url), 'utf8'));

let instance: RunningInstance;
let world: World;

beforeAll(async () => {
  instance = await startInstance(AS_THE_PUBLIC_SERVICE);
  world = await openWorld(instance);
});

afterAll(() => instance?.stop());

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
