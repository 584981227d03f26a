import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LedgerOrder, OrderBid, OrderRequestEntry } from '../source/ledger-shapes.ts';
import { explainOrder } from './explain-order.ts';
import { NOTHING_PAID, type OrderFacts, PARTY_WORDS } from './order-cause.ts';
import { parseObstacle, REFUSAL_TEXTS } from './refusal-texts.ts';

describe('explainOrder', () => {
  it.each([
    [-2, 'taker', /a signature in it was wrong/],
    [-3, 'taker', /was not that of the order/],
    [-1_003, 'taker', /a signature was missing/],
  ] as const)('finds a refused execution with code %d in the log', (code, party, sentence) => {
    const cause = explainOrder({ ...FACTS, requests: [request('POST', code), request('GET', null)] });
    expect(cause).toMatchObject({ party, paid: NOTHING_PAID, sentence: expect.stringMatching(sentence) });
  });

  it('tells an order that may still be executed from one that never was, also without a log', () => {
    for (const requests of [null, [], [request('GET', null)]]) {
      expect(explainOrder({ ...FACTS, requests }).sentence).toMatch(/has not sent it back signed yet/);
      const late = explainOrder({ ...FACTS, requests, now: AT + 200_000 });
      expect(late).toMatchObject({ party: 'taker', sentence: expect.stringMatching(/never executed/) });
      expect(late.paid).toMatch(/Unless the taker landed it by itself/);
    }
  });

  it('tells an execution that runs from one whose instance was killed, and from one that nobody knows the end of', () => {
    expect(explain({ code: null }, { now: AT + 3_000 }).sentence).toMatch(/is being executed, for 3.0 s/);
    expect(explain({ code: null }, { now: AT + 900_000 })).toMatchObject({
      party: 'sluice',
      sentence: expect.stringMatching(/was killed, or lost its database/),
    });
    for (const code of [-1_001, -2_001])
      expect(explain({ code })).toMatchObject({
        tone: 'warning',
        paid: expect.stringMatching(/may still land/),
      });
  });

  it('compares what was paid with what was quoted', () => {
    const swap = { code: 0, slot: 7n, totalInput: 100n, totalOutput: 200n };
    expect(explain(swap).sentence).toBe('The swap was made exactly as it was quoted.');
    expect(explain(swap).paid).toBe(
      'The taker paid 100 of SOL and received 200 of USDC. The taker paid the fee of the network.',
    );
    expect(explain({ ...swap, totalOutput: 201n }).sentence).toMatch(/better for the taker/);
    expect(explain({ ...swap, totalOutput: 199n }).sentence).toMatch(/worse for the taker/);
    expect(explain({ ...swap, totalOutput: null }).sentence).toMatch(/could not be read/);
    expect(explain(swap, {}, { paidBy: 'sponsor' }).paid).toMatch(/The sponsor paid the fee of the network/);
  });

  it.each([
    ['slippage', 'market'],
    ['lamports', 'taker'],
    ['injected', 'network'],
    ['compute', 'sluice'],
    ['missing-account', 'unclear'],
    ['other', 'unclear'],
    ['of a newer version', 'unclear'],
  ])('says whose doing a failure on the chain is: %s', (kind, party) => {
    const failure = { kind, sentence: 'It says why.', advice: 'Do this.', feeLamports: 5_000n };
    const cause = explain({ code: 6_001, slot: 7n }, { failure });
    expect(cause).toMatchObject({ party, tone: 'danger' });
    expect(cause.advice).toMatch(/^(?:Do this\.|Ask for a new order: it is built)/);
    expect(cause.sentence).toMatch(/^The transaction landed and failed on the chain.* It says why\.$/);
    expect(cause.paid).toMatch(/^The taker paid 5000 of SOL to the network/);
    expect(PARTY_WORDS).toHaveProperty(cause.party);
  });

  it('does not blame a taker for lamports that another wallet may lack', () => {
    const failure = { kind: 'lamports', sentence: 'It says why.', advice: 'Do this.', feeLamports: 5_000n };
    const bySponsor = { paidBy: 'sponsor', payer: 'S' } as const;
    expect(explain({ code: 1, slot: 7n }, { failure }, bySponsor).party).toBe('unclear');
    const reason = 'the network refuses the transaction: insufficient lamports';
    expect(explain({ code: -1_002, reason }, {}, bySponsor)).toMatchObject({
      party: 'unclear',
      sentence: expect.stringMatching(/the taker, or the wallet that pays the network/),
    });
  });

  it('blames a taker for being late only if it was', () => {
    const reason = 'the order ran out at block height 9, the network is at 10';
    const executed = (begunAt: number) => explain({ code: -1_004, reason, begunAt });
    expect(executed(AT + 90_000)).toMatchObject({
      party: 'taker',
      sentence: expect.stringMatching(/too late/),
    });
    expect(executed(AT + 19).sentence).toMatch(/came back 19 ms after it was given out/);
  });

  it('says that a receiver has received', () => {
    const swap = { code: 0, slot: 7n, totalInput: 100n, totalOutput: 200n };
    expect(explain(swap, {}, { receiver: 'R' }).paid).toMatch(
      /^The taker paid 100 of SOL and its receiver received 200 of USDC\./,
    );
  });

  it('does not blame a taker for a fill that may have failed for want of the tokens of the maker', () => {
    const failure = { kind: 'tokens', sentence: 'It says why.', advice: 'Do this.', feeLamports: 5_000n };
    expect(explain({ code: 1, slot: 7n }, { failure, fill: { ...FILL, state: 'failed' } }).party).toBe(
      'unclear',
    );
    expect(explain({ code: 1, slot: 7n }, { failure }).party).toBe('taker');
    expect(explain({ code: 1, slot: 7n })).toMatchObject({ party: 'unclear', advice: expect.any(String) });
  });

  it.each([
    [
      -1_000,
      'the transaction did not land by block height 9',
      null,
      'network',
      /did not take it into a block/,
    ],
    [-1_002, 'the network refuses the transaction: insufficient lamports', null, 'taker', /no longer held/],
    [-1_002, 'the network refuses the transaction: slippage exceeded', null, 'market', /moved further/],
    [
      -1_002,
      'the sponsor does not sign: its budget is spent',
      null,
      'sponsor',
      /nothing was sent: its budget/,
    ],
    [
      -1_002,
      'nothing was sent: the swap would cost the payer X 9 lamports',
      null,
      'market',
      /cost its payer more/,
    ],
    [-1_004, 'the order ran out at block height 9, the network is at 10', null, 'network', /was not late/],
    [-2_000, 'the maker did not land the swap by 9, when it expired', 'expired', 'maker', /did not land it/],
    [
      -2_000,
      'the transaction did not land by block height 9',
      'failed',
      'network',
      /did not take it into a block/,
    ],
    [
      -2_000,
      'the swap could not be recorded, and its transaction can no longer land',
      null,
      'sluice',
      /not record/,
    ],
    [-2_002, 'the network refuses the transaction: Blockhash not found', 'failed', 'taker', /too late/],
    [-2_003, 'the maker did not sign within 10 seconds', 'expired', 'maker', /missed its last look/],
    [-2_003, 'the order had to be executed by 5, and the network’s clock shows 6', null, 'taker', /too late/],
    [-2_003, 'the maker no longer quotes SOL against USDC', null, 'maker', /no longer quoted/],
    [
      -2_003,
      'the service stopped while the maker had the swap before it, and no',
      'expired',
      'sluice',
      /stopped/,
    ],
    [
      -2_004,
      'the maker returned another message than it was offered',
      'rejected',
      'maker',
      /another transaction/,
    ],
    [-2_004, 'the maker rejects the swap: no', 'rejected', 'maker', /saying “no”/],
    [-2_004, 'the maker is not connected now', null, 'maker', /not connected/],
    [-2_004, 'the swap would fail now: ResultWithNegativeLamports', null, 'taker', /no longer held/],
    [-2_004, 'the swap takes 9 atoms of X, which holds 5, and other', null, 'taker', /no longer held/],
    [-2_004, 'the swap would fail now: it became impossible', 'expired', 'market', /had changed since/],
    [
      -2_000,
      'the maker did not land the swap by 9, when it expired, which is not counted against it; it did not answer',
      'expired',
      'unclear',
      /may have been impossible meanwhile/,
    ],
    [
      -2_000,
      'the maker did not land the swap by 9, when it expired; it said: , when it expired, which is not counted against it',
      'expired',
      'maker',
      /did not land it/,
    ],
    [
      -2_004,
      'the maker did not sign, and had signed other swaps for the same inventory, whose takers could no longer pay',
      'expired',
      'market',
      /whose takers could no longer pay/,
    ],
    [
      -2_004,
      'whether the swap could have succeeded is not known',
      'expired',
      'unclear',
      /not known whether the swap could/,
    ],
    [
      -2_004,
      'the operator removed the maker acme-maker',
      'expired',
      'sluice',
      /operator.* removed the maker/,
    ],
    [-9_999, 'a code of a newer version', null, 'unclear', /code -9999/],
    [-99, null, null, 'unclear', /code -99/],
  ] as const)('says whose doing %d is: %s', (code, reason, state, party, sentence) => {
    const fill = state === null ? null : { ...FILL, state };
    const cause = explain({ code, reason }, { fill });
    expect(cause).toMatchObject({ party, paid: NOTHING_PAID, sentence: expect.stringMatching(sentence) });
    expect(cause.advice).not.toBeNull();
  });
});

describe('REFUSAL_TEXTS', () => {
  it('are texts that the documentation of errors still lists', () => {
    const page = readFileSync(new URL('../../../../../docs/errors.md', import.meta.url), 'utf8');
    for (const text of Object.values(REFUSAL_TEXTS)) expect(page).toContain(`\n${text.trimEnd()}`);
  });

  it('lets a text of a newer version stand for something that had changed', () => {
    expect(parseObstacle('never heard of', false)).toMatchObject({ party: 'market', advice: 'ask-again' });
  });
});

const AT = 1_790_000_000_000;
const ORDER: LedgerOrder = {
  requestId: 'one',
  at: AT,
  organisation: 'acme',
  taker: 'T',
  receiver: null,
  inputMint: 'SOL',
  outputMint: 'USDC',
  swapMode: 'ExactIn',
  inAmount: 100n,
  outAmount: 200n,
  slippageBps: 50,
  feeMint: 'USDC',
  feeAmount: 0n,
  router: 'metis',
  maker: 'acme-maker',
  paidBy: 'taker',
  payer: 'T',
  execution: null,
};
const FILL: NonNullable<OrderBid['fill']> = {
  state: 'offered',
  offeredAt: AT + 100,
  answeredAt: null,
  lastLookMs: null,
  answer: null,
  endedAt: AT + 10_100,
  failure: null,
  signature: null,
  paid: null,
  received: null,
};
const FACTS: OrderFacts = {
  order: ORDER,
  fill: null,
  requests: [],
  failure: null,
  now: AT + 5_000,
  formatAmount: (mint, atoms) => `${atoms} of ${mint.startsWith('So1') ? 'SOL' : mint}`,
};

function explain(
  execution: Partial<NonNullable<LedgerOrder['execution']>>,
  facts: Partial<OrderFacts> = {},
  order: Partial<LedgerOrder> = {},
) {
  const end = { endedAt: AT + 1_000, reason: null, signature: null, slot: null };
  const ended = { begunAt: AT, code: null, totalInput: null, totalOutput: null, ...end, ...execution };
  return explainOrder({ ...FACTS, ...facts, order: { ...ORDER, ...order, execution: ended } });
}

function request(method: string, code: number | null): OrderRequestEntry {
  const order = { requestId: 'one', code, signature: '' };
  return { at: AT, requestId: method, method, path: '/x', status: 400, decision: 'admitted', order };
}
