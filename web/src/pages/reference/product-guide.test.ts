import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findProductGuide } from './product-guide.ts';

describe('findProductGuide', () => {
  it.each([
    ['trigger', '/trigger/v2/orders/price', 'trigger'],
    ['trigger', '/trigger/v2/orders/dca/{id}/cancel', 'dca'],
    ['trigger', '/trigger/v1/createOrder', 'program-orders'],
    ['recurring', '/recurring/v1/createOrder', 'program-orders'],
    ['swap', '/ultra/v1/order', 'ultra'],
    ['swap', '/swap/v2/order', 'swap'],
    ['price', '/price/v3', 'prices'],
    ['market-making', '/market-making/v1/quotes', 'makers'],
  ])('knows the page of %s at %s, which exists', (group, path, guide) => {
    expect(findProductGuide({ group, path })).toBe(guide);
    expect(existsSync(new URL(`../../../../docs/${guide}.md`, import.meta.url))).toBe(true);
  });

  it('has none for the health of the server', () => {
    expect(findProductGuide({ group: 'health', path: '/healthz' })).toBeNull();
  });
});
