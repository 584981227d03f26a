import { expect, it } from 'vitest';
import { landing } from './index.ts';

it.each(['/tx/v1', '/tx/v1/submit', '/swap/v2/submit'])(
  'landing a transaction at %s costs no credits',
  (path) => {
    const found = landing.endpoints.find((one) => one.path === path || one.aliases.includes(path));
    expect(found).toMatchObject({ method: 'POST', credits: 0 });
  },
);
