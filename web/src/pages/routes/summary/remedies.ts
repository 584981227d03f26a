import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';
import type { RouteRequest } from '../quote/route-request.ts';

/** What may help where there is no quote. */
export interface Remedies {
  readonly title: string;
  readonly advice: string | null;
  /** Requests that are worth a try, with what they change. */
  readonly changes: readonly { readonly label: string; readonly request: RouteRequest }[];
}

const MAX_LARGER_DIGITS = 12;

/**
 * Lists what may help against a refusal.
 *
 * @param status - Of the answer; null if there was none.
 * @param reason - The sentence of the refusal.
 */
export function listRemedies(request: RouteRequest, status: number | null, reason: string): Remedies {
  if (status === null) return { title: 'There is no answer', advice: null, changes: [] };
  if (status === 401) {
    return {
      title: 'Sluice wants an API key',
      advice: 'Set one in the playground: this tab then sends it with every request.',
      changes: [],
    };
  }
  if (status === 403) {
    return {
      title: 'Sluice refuses this caller',
      advice: 'A rule of the operator, or what the API key may do, stands against it.',
      changes: [],
    };
  }
  if (status === 429) {
    return {
      title: 'Too many requests',
      advice: 'Wait a minute, or set an API key in the playground: callers without a key have few requests.',
      changes: [],
    };
  }
  if (status >= 500) {
    return { title: 'Sluice cannot quote now', advice: 'Try again in a moment.', changes: [] };
  }
  if (/no pool trades (in|out)putMint/.test(reason)) {
    return {
      title: 'No pool trades this token',
      advice:
        'A token can be swapped once a pool has it. The fields for the tokens list those that have one; a launch on a bonding curve can be bought at once.',
      changes: [
        { label: 'SOL for USDC', request: { ...request, inputMint: SOL_MINT, outputMint: USDC_MINT } },
      ],
    };
  }
  const changes = [
    ...(request.venueRule === 'all'
      ? []
      : [{ label: 'Allow all venues', request: { ...request, venueRule: 'all' as const, venues: [] } }]),
    ...(request.source === 'pools-v1' && request.direct
      ? [{ label: 'Allow more than one pool', request: { ...request, direct: false } }]
      : []),
    ...(request.source === 'pools-v1' && request.maxAccounts !== ''
      ? [{ label: 'Allow more accounts', request: { ...request, maxAccounts: '' } }]
      : []),
    ...(request.source === 'pools-v1' && !request.anyIntermediate
      ? [{ label: 'Lead through any token', request: { ...request, anyIntermediate: true } }]
      : []),
    ...listExactOutChanges(request),
    ...listAmountChanges(request),
  ];
  return {
    title: 'There is no route for this swap',
    advice:
      'The amount may be too small to pay anything, or too large for the pools; a token may have no pool with the other one, nor with one that leads there.',
    changes,
  };
}

function listExactOutChanges(request: RouteRequest): Remedies['changes'] {
  if (request.source === 'pools' || request.swapMode !== 'ExactOut') return [];
  return [
    { label: 'Fix what is paid instead', request: { ...request, swapMode: 'ExactIn' } },
    ...(request.source === 'order'
      ? [
          {
            label: 'Ask the pools for the exact output',
            request: { ...request, source: 'pools-v1' as const },
          },
        ]
      : []),
  ];
}

/** A thousand times as much, and a thousandth. The point is moved in the text, so that no digit is lost. */
function listAmountChanges(request: RouteRequest): Remedies['changes'] {
  const match = /^(\d*)\.?(\d*)$/.exec(request.amount);
  if (match === null) return [];
  const [, whole = '', fraction = ''] = match;
  const padded = fraction.padEnd(3, '0');
  const larger = trimZeros(`${whole}${padded.slice(0, 3)}`, padded.slice(3));
  const long = whole.padStart(4, '0');
  const smaller = trimZeros(long.slice(0, -3), `${long.slice(-3)}${fraction}`);
  return [
    ...(larger.length <= MAX_LARGER_DIGITS
      ? [{ label: 'A thousand times as much', request: { ...request, amount: larger } }]
      : []),
    ...(whole.replace(/^0+/, '').length > 3
      ? [{ label: 'A thousandth of it', request: { ...request, amount: smaller } }]
      : []),
  ];
}

function trimZeros(whole: string, fraction: string): string {
  const [front, back] = [whole.replace(/^0+(?=\d)/, ''), fraction.replace(/0+$/, '')];
  return back === '' ? front : `${front}.${back}`;
}
