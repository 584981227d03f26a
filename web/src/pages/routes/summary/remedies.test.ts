import { describe, expect, it } from 'vitest';
import { parseRouteRequest } from '../quote/route-request.ts';
import { listRemedies } from './remedies.ts';

describe('listRemedies', () => {
  it.each([
    ['1', ['1000']],
    ['0.0000015', ['0.0015']],
    ['.5', ['500']],
    ['12345.678', ['12345678', '12.345678']],
    ['1000', ['1000000', '1']],
    ['123456789012', ['123456789.012']],
  ])('moves the point of %s in the text, so that no digit is lost', (amount, amounts) => {
    const { changes } = listRemedies({ ...REQUEST, amount }, 400, NO_ROUTE);
    expect(changes.map(({ request }) => request.amount)).toEqual(amounts);
  });

  it('takes back what the request restricts', () => {
    const restricted = {
      ...REQUEST,
      source: 'pools-v1',
      direct: true,
      venueRule: 'only',
      venues: ['Saber'],
      maxAccounts: '5',
      swapMode: 'ExactOut',
    } as const;
    expect(listRemedies(restricted, 400, NO_ROUTE).changes.map(({ label }) => label)).toEqual([
      'Allow all venues',
      'Allow more than one pool',
      'Allow more accounts',
      'Lead through any token',
      'Fix what is paid instead',
      'A thousand times as much',
    ]);
  });

  it.each([
    [null, 'There is no answer'],
    [401, 'Sluice wants an API key'],
    [403, 'Sluice refuses this caller'],
    [429, 'Too many requests'],
    [503, 'Sluice cannot quote now'],
    [400, 'There is no route for this swap'],
  ])('names what the status %s says', (status, title) => {
    expect(listRemedies(REQUEST, status, NO_ROUTE).title).toBe(title);
  });

  it('knows a token that no pool trades', () => {
    const reason = 'no router quotes this swap; metis: no pool trades outputMint X; jupiterz: no maker';
    expect(listRemedies(REQUEST, 400, reason).title).toBe('No pool trades this token');
  });
});

const REQUEST = parseRouteRequest({});
const NO_ROUTE = 'no route from inputMint A to outputMint B for the amount 1';
