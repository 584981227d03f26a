import { describe, expect, it } from 'vitest';
import { address } from '../solana/address.ts';
import { makerRecord, MemoryAccounts } from '../testing/rfq/test-rfq.ts';
import type { MakerView } from './cluster/cluster-makers.ts';
import { createMakerFromStore } from './makers/maker-runtime-state.ts';
import { findNoOrdersReason } from './no-orders.ts';
import { NEW_WEBHOOK } from './webhooks/conduct.ts';
import type { WebhookView } from './webhooks/webhooks.ts';

describe('findNoOrdersReason: streams', () => {
  it.each<[string | null, ViewChanges, boolean]>([
    [null, {}, true],
    ['the operator disabled the maker', { enabled: false }, true],
    ['it returned a swap', { blockedBy: 'it returned a swap' }, true],
    ['its swap stream is not connected', { connected: false }, true],
    [
      'whether its swap stream is connected is not known, because its instance does not answer',
      { connected: null },
      true,
    ],
    ['it has no order book: it has sent none since it connected, or the last one has expired', {}, false],
    [
      'its last snapshot was refused: no balance',
      { quoteProblem: 'its last snapshot was refused: no balance' },
      false,
    ],
    [null, { quoteProblem: 'its last snapshot was refused: no balance' }, true],
  ])('says %j', (reason, changes, hasBook) => {
    expect(findNoOrdersReason(view(changes), { webhook: null, hasBook, bookObstacle: null })).toBe(reason);
  });
});

describe('findNoOrdersReason: what keeps all books from being used', () => {
  it('keeps a maker from orders over its streams, unless its own reason comes first', () => {
    const find = (changes: ViewChanges, webhook: WebhookView | null = null) =>
      findNoOrdersReason(view(changes), { webhook, hasBook: true, bookObstacle: APART });
    expect(find({})).toBe(APART);
    expect(find({ connected: false })).toBe('its swap stream is not connected');
    expect(find({}, WEBHOOK)).toBeNull();
    expect(find({}, { ...WEBHOOK, mints: null })).toContain(`streams: ${APART}; webhook:`);
  });
});

describe('findNoOrdersReason: webhooks', () => {
  it.each<[string | null, Partial<WebhookView>]>([
    [null, {}],
    [
      'it landed a swap, and only the operator can enable it',
      { status: 'offline', state: { ...NEW_WEBHOOK, off: 'it landed a swap' } },
    ],
    [
      'its webhook missed swaps or did not answer, and is suspended until 2026-09-21T14:13:20.000Z; its last problem: no answer within 250 ms',
      {
        status: 'suspended',
        state: { ...NEW_WEBHOOK, suspendedUntil: 1_790_000_000_000 },
        calls: { ...CALLS, problem: 'no answer within 250 ms' },
      },
    ],
    ['the list of its tokens is being read', { mints: null }],
    [
      'the list of its tokens cannot be read: the answer has the status 401',
      { mints: null, tokensProblem: STATUS },
    ],
    ['it lists 2 tokens, and among them no pair that it may quote', { listsPair: false }],
    [`its webhook fails: ${STATUS}`, { calls: { ...CALLS, restsUntil: 1, problem: STATUS } }],
    ['its last quote could not be settled: the maker holds 0', { obstacle: 'the maker holds 0' }],
    [`its webhook fails: ${STATUS}`, { calls: { ...CALLS, quoted: 0, failed: 1, problem: STATUS } }],
    ['it has declined all 3 questions for quotes', { calls: { ...CALLS, quoted: 0, declined: 3 } }],
    [null, { calls: { ...CALLS, declined: 3, failed: 2, problem: STATUS } }],
  ])('says %j', (reason, changes) => {
    const webhook = { ...WEBHOOK, ...changes };
    expect(
      findNoOrdersReason(view({ connected: false }), { webhook, hasBook: false, bookObstacle: APART }),
    ).toBe(reason);
  });

  it('are one of two ways to orders where the maker also streams', () => {
    const webhook = { ...WEBHOOK, mints: null };
    const find = (changes: ViewChanges, hasBook: boolean, hook = webhook) =>
      findNoOrdersReason(view(changes), { webhook: hook, hasBook, bookObstacle: null });
    expect(find({}, true)).toBeNull();
    expect(find({ blockedBy: 'it is blocked' }, true, WEBHOOK as typeof webhook)).toBeNull();
    expect(find({ blockedBy: 'it is blocked' }, true)).toBe(
      'streams: it is blocked; webhook: the list of its tokens is being read',
    );
    expect(find({ enabled: false }, true)).toBe('the operator disabled the maker');
  });
});

interface ViewChanges {
  readonly enabled?: boolean;
  readonly connected?: boolean | null;
  readonly blockedBy?: string;
  readonly quoteProblem?: string;
}

const APART = 'the clocks are apart';
const STATUS = 'the answer has the status 401';
const CALLS = {
  asked: 9,
  quoted: 1,
  declined: 0,
  failed: 0,
  lastAnswerAt: null,
  problem: null,
  restsUntil: null,
};
const WEBHOOK: WebhookView = {
  record: {
    makerId: 'maker-1',
    address: address('So11111111111111111111111111111111111111112'),
    url: 'http://127.0.0.1:1',
    apiKey: null,
    pairs: null,
    enabled: true,
  },
  state: NEW_WEBHOOK,
  status: 'prod',
  mints: 2,
  tokensProblem: null,
  listsPair: true,
  obstacle: null,
  calls: CALLS,
};

function view({ enabled = true, connected = true, ...changes }: ViewChanges): MakerView {
  const record = makerRecord(new MemoryAccounts(), 1, { enabled });
  return { maker: { ...createMakerFromStore(record, null, true), ...changes }, connected, instance: null };
}
