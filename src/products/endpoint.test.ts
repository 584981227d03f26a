import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineEndpoint } from './endpoint.ts';

describe('the credits of an endpoint', () => {
  it.each([
    '/swap/v2/execute',
    '/trigger/v1/execute',
    '/recurring/v1/execute',
    '/prediction/v1/execute',
    '/prediction/v1/orders/execute',
    '/tokens/v2/verify/express/execute',
    '/ultra/v1/execute',
  ])('are 0 at %s, which executes', (path) => {
    expect(creditsAt(path)).toBe(0);
  });

  it.each(['/swap/v2/order', '/studio/v1/dbc-pool/submit', '/swap/v1/executed', '/price/v3'])(
    'are 1 at %s',
    (path) => {
      expect(creditsAt(path)).toBe(1);
    },
  );

  it('are what the endpoint states, if it states them', () => {
    expect(creditsAt('/portfolio/v1/positions/:address', 100)).toBe(100);
    expect(creditsAt('/some/v1/execute', 3)).toBe(3);
  });
});

function creditsAt(path: string, credits?: number): number {
  return defineEndpoint({
    method: 'POST',
    path,
    operationId: 'Test',
    summary: 'Test',
    description: 'Test.',
    responses: { 200: Type.Object({}) },
    handle: () => ({}),
    ...(credits === undefined ? {} : { credits }),
  }).credits;
}
