import { describe, expect, it } from 'vitest';
import { TestPredictionDesk } from '../../../testing/products/prediction-desk.ts';
import { openForAll } from '../../../testing/opened.ts';

describe('a network without the program', () => {
  const desk = openForAll(() => TestPredictionDesk.open({ hasMarkets: false }), 'close');

  it.each(['events', 'positions', 'trading-status', 'vault-info'])(
    'refuses %s with a reason',
    async (path) => {
      expect(await desk.get(path)).toEqual({
        status: 501,
        json: {
          type: 'api_error',
          code: 'network_not_supported',
          message: expect.stringContaining('this instance has no keys of the program of prediction markets'),
          request_id: expect.any(String),
        },
      });
    },
  );
});

describe('a refused country', () => {
  const desk = openForAll(
    () => TestPredictionDesk.open({ refusedCountries: new Set(['US']), country: 'US' }),
    'close',
  );

  it('gets no answers', async () => {
    expect(await desk.get('events')).toEqual({
      status: 403,
      json: {
        type: 'permission_error',
        code: 'country_refused',
        message: 'Prediction markets are not available in US',
        request_id: expect.any(String),
      },
    });
    expect((await desk.buy()).status).toBe(403);
  });
});
