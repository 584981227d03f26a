import { expect, it } from 'vitest';
import { findFreePort } from './free-port.ts';

it('findFreePort gives a port to one asker only, before anything listens on it', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => findFreePort()));
  expect(new Set(ports).size).toBe(ports.length);
});
