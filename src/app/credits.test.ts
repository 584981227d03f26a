import { expect, it } from 'vitest';
import { PRODUCTS } from './products.ts';

it('every path of every product, and every alias, costs the credits that are published for it', () => {
  const costs = new Map<string, number>();
  for (const { endpoints } of PRODUCTS) {
    for (const { path, aliases, credits } of endpoints) {
      for (const each of [path, ...aliases]) costs.set(each, credits);
    }
  }
  const expected = [...costs.keys()].map((path) => {
    const rule = path.endsWith('/execute') ? 0 : 1;
    return [path, PUBLISHED[path] ?? OWN[path] ?? rule];
  });
  expect([...costs]).toEqual(expected);
  for (const path of Object.keys({ ...PUBLISHED, ...OWN })) expect(costs.has(path), path).toBe(true);
});

/** What the public interface publishes. Each endpoint that it does not name costs one credit. */
const PUBLISHED: Readonly<Record<string, number>> = {
  '/tx/v1': 0,
  '/tx/v1/': 0,
  '/tx/v1/submit': 0,
  '/swap/v2/submit': 0,
  '/portfolio/v1/positions': 100,
  '/portfolio/v1/positions/:address': 100,
  '/portfolio/v1/platforms': 5,
  '/tokens/v2/search': 10,
  '/tokens/v2/tag': 50,
  '/tokens/v2/:category/:interval': 5,
};

/** Endpoints that the public interface does not have. */
const OWN: Readonly<Record<string, number>> = {
  '/tx/v1/reports/:signature': 0,
  '/images/:mint': 0,
  '/metadata/:mint.json': 0,
  '/headers/:mint': 0,
  '/market-making/v1/orders': 0,
  '/market-making/v1/statistics': 0,
  '/market-making/v1/books': 0,
  '/market-making/v1/status': 0,
  '/portfolio/v1/history/:address': 100,
  '/portfolio/v1/positions/:address/stream': 500,
};
