import { describe, expect, it } from 'vitest';
import { readOperatorStatus } from '../source/maker-shapes.ts';
import { describeBreaker, describeSeen } from './maker-line.ts';

describe('describeSeen', () => {
  it('says when a maker was last there, by its streams or its webhook', () => {
    expect(describeSeen(read({ connected: true }), null)).toBe('connected');
    expect(describeSeen(read({ connected: null }), null)).toBe('its instance does not answer');
    expect(describeSeen(read(), null)).toBe('never connected');
    const left = read({
      changes: [{ at: 5, from: 'prod', to: 'offline', cause: 'the swap stream dropped' }],
    });
    expect(describeSeen(left, left)).toMatch(/^left /);
    expect(describeSeen(read({ webhook: WEBHOOK }), null)).toBe('not asked yet');
    const asked = read({ webhook: { ...WEBHOOK, calls: { ...WEBHOOK.calls, lastAnswerAt: 5 } } });
    expect(describeSeen(asked, null)).toMatch(/^answered /);
  });
});

describe('describeBreaker', () => {
  it('is that of the streams, or of the webhook where the maker does not stream', () => {
    expect(describeBreaker(null)).toBe('');
    expect(describeBreaker(read({ breaker: { ...BREAKER, state: 'off' } }))).toBe('off');
    expect(describeBreaker(read({ breaker: BREAKER }))).toBe('closed, 1 miss left');
    const webhookBreaker = { ...BREAKER, state: 'suspended', suspensionsMs: [1], suspendedUntil: 5 };
    const both = { breaker: BREAKER, webhook: WEBHOOK, webhookBreaker };
    expect(describeBreaker(read(both))).toMatch(/^suspended until /);
    expect(describeBreaker(read({ ...both, connected: true }))).toBe('closed, 1 miss left');
  });
});

const BREAKER = {
  state: 'closed',
  windowMs: 1,
  minimumSwaps: 1,
  thresholdPercent: 50,
  suspensionMs: 1,
  filled: 0,
  swaps: 0,
  missesLeft: 1,
  suspendedUntil: null,
};
const WEBHOOK = {
  url: 'https://maker.example',
  status: 'prod',
  why: null,
  suspendedUntil: null,
  mints: 2,
  swaps: { filled: 0, missed: 0, excused: 0 },
  calls: { asked: 0, quoted: 0, declined: 0, failed: 0, lastAnswerAt: null, problem: null, restsUntil: null },
};

/** What the page reads of an answer that differs from that of a new maker in so much. */
function read(changes: object = {}) {
  const { operator } = readOperatorStatus({
    id: 'acme',
    name: null,
    address: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
    pairs: null,
    enabled: true,
    status: 'offline',
    blockedBy: null,
    noOrders: null,
    connected: false,
    instance: null,
    tampered: false,
    suspendedUntil: null,
    lastSequenceNumber: '0',
    webhook: null,
    accepted: 0,
    rejected: {},
    swaps: { filled: 0, missed: 0, tampered: 0 },
    orders: { considered: 0, won: 0 },
    volume: { microDollars: '0' },
    ...changes,
  });
  if (operator === null) throw new Error('the operator sees the whole');
  return operator;
}
