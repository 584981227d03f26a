import { randomUUID } from 'node:crypto';
import { getTransactionDecoder } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { problemOf, type Quote } from '../../../../examples/webhook-last-look.ts';
import { fundMaker, SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import { openWebhookSwap } from '../../../testing/genesis-market/webhooks.ts';
import type { Answering, WebhookMakerRequest, TestWebhook } from '../../../testing/rfq/webhook-maker.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import type { Address } from '../../../solana/address.ts';
import { sha256 } from '../../../solana/encoding/sha256.ts';
import { createKeypairFromSeed } from '../../../solana/keypair.ts';
import { isSignedBy, parseTransaction } from '../../../solana/messages/transaction.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { WebhookClient } from '../../webhooks/http-client.ts';
import { SYSTEM_LOOKUP } from '../../webhooks/outgoing-address.ts';
import { type Finding, WEBHOOK_SITUATIONS, type WebhookSituation } from '../trials/report.ts';
import { runWebhookCheck } from './webhook-check.ts';
import { openForEach } from '../../../testing/opened.ts';

const KEY = 'the-key';

let maker: TestWebhook;
const open = openForEach(() => openWebhookSwap({ apiKey: KEY }), 'close');
beforeEach(setUp);

describe('runWebhookCheck', () => {
  it('passes a maker that quotes, lands its swaps and refuses all others', async () => {
    const findings = await check();
    expect(findings.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(findings.find(({ situation }) => situation === 'swap')?.detail).toContain('has landed');
    expect(open.webhooks.find('maker-0')?.state).toMatchObject({ filled: 0, missed: 0, outcomes: [] });
  });

  it('sends no swap before its taker has confirmed lamports, as the maker simulates it', async () => {
    let isConfirmed = false;
    const { onSwap } = maker;
    maker.onSwap = async (asked, signal) => (isConfirmed ? onSwap(asked, signal) : no(500));
    let looks = 0;
    const findings = await check(async (address) => {
      if (address === taker.address) {
        isConfirmed = ++looks > 3;
        if (!isConfirmed) return null;
      }
      return open.market.network.account(address);
    });
    expect(failedOf(findings)).toEqual([]);
    expect(looks).toBe(4);
  });

  it('fails a maker that signs whatever it is sent', async () => {
    maker.onSwap = async (asked) => {
      if (typeof asked.body.transaction !== 'string') return no(400);
      // What the network refuses, the maker has accepted all the same.
      await maker.land(asked).catch(() => {});
      return { body: { quoteId: asked.body.quoteId, state: 'accepted' } };
    };
    expect(failedOf(await check())).toEqual(ALL_SWAPS.filter((situation) => situation !== 'swap'));
  });

  it.each<[string, () => void, readonly WebhookSituation[]]>([
    ['lists no mints', () => (maker.onTokens = () => ({ body: { mints: [] } })), ['tokens']],
    ['quotes as a number', () => (maker.onQuote = wrongQuote({ amountOut: 1 })), WRONG_QUOTES],
    ['quotes in the name of another', () => (maker.onQuote = wrongQuote({ maker: USDC.mint })), WRONG_QUOTES],
    ['quotes for another request', () => (maker.onQuote = wrongQuote({ quoteId: 'x' })), WRONG_QUOTES],
    ['answers garbage', () => (maker.onQuote = () => ({ body: '<html>' })), NO_QUOTES],
    ['answers an error', () => (maker.onQuote = () => no(500)), NO_QUOTES],
    [
      'redirects',
      () => (maker.onQuote = (_, response) => void response.writeHead(302, { location: '/' }).end()),
      NO_QUOTES,
    ],
    ['resets', () => (maker.onQuote = (_, response) => void response.socket?.resetAndDestroy()), NO_QUOTES],
    [
      'rejects without the id of the quote',
      () => (maker.onSwap = () => ({ body: { state: 'rejected' } })),
      ALL_SWAPS,
    ],
    [
      'rejects for no reason that has a name',
      () => (maker.onSwap = rejecting({ state: 'rejected', rejectionReason: 'no' })),
      ['swap', 'rejection for lack of balance', 'rejection of a signature'],
    ],
    [
      'rejects everything for one reason',
      () => (maker.onSwap = rejecting({ state: { rejectedWithReason: 'insufficientBalance' } })),
      ['swap', 'rejection', 'rejection of a signature'],
    ],
    [
      'rejects without a word',
      () => (maker.onSwap = rejecting({ state: 'rejected', rejectionReason: '' })),
      ['swap', 'rejection', 'rejection for lack of balance', 'rejection of a signature'],
    ],
    ['answers swaps with 500', () => (maker.onSwap = () => no(500)), [...ALL_SWAPS, 'malformed requests']],
  ])('reports a maker that %s', async (_, behave, expected) => {
    behave();
    expect(failedOf(await check())).toEqual(expected);
  });
});

const taker = createKeypairFromSeed(sha256(Buffer.from('the taker of a check')));

const quotes = new Map<string, Quote>();

function setUp(): void {
  [maker] = open.makers as [TestWebhook];
  quotes.clear();
  behaveWell();
}

const no = (status: number) => ({ status, body: { message: 'no' } });

/** The last look of the example, and its refusals. */
function behaveWell(): void {
  maker.onQuote = (asked) => {
    if (asked.headers['x-api-key'] !== KEY) return no(401);
    const { tokenIn, tokenOut, amount, quoteId } = asked.body;
    if (typeof amount !== 'string') return no(400);
    const mints: unknown[] = [SOL.mint, USDC.mint];
    if (!mints.includes(tokenIn) || !mints.includes(tokenOut)) return no(404);
    const body = maker.quote(asked.body);
    quotes.set(String(quoteId), {
      tokenIn: String(tokenIn),
      tokenOut: String(tokenOut),
      amountIn: BigInt(String(body.amountIn)),
      amountOut: BigInt(String(body.amountOut)),
      until: Number.MAX_SAFE_INTEGER,
    });
    return { body };
  };
  maker.onSwap = async (asked) => {
    const { quoteId, transaction } = asked.body;
    if (typeof transaction !== 'string') return no(400);
    const refused = objection(asked);
    if (refused !== null) return { body: { quoteId, ...refused } };
    await maker.land(asked);
    return { body: { quoteId, state: 'accepted' } };
  };
}

function objection({ body: { requestId, quoteId, transaction } }: WebhookMakerRequest): object | null {
  if (requestId === '00000000-0000-0000-0000-000000000003')
    return { state: { rejectedWithReason: 'insufficientBalance' } };
  const wire = Buffer.from(String(transaction), 'base64');
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const problem = problemOf(maker.keypair.address, messageBytes, quotes.get(String(quoteId)));
  if (problem !== null) return { state: 'rejected', rejectionReason: problem };
  return isSignedBy(parseTransaction(new Uint8Array(wire)), 1)
    ? null
    : { state: { rejectedWithReason: 'signatureVerificationFailed' } };
}

async function check(
  accountOf = async (address: Address) => open.market.network.account(address),
): Promise<readonly Finding[]> {
  const { market, webhooks } = open;
  const { chain, network } = market;
  const findings: Finding[] = [];
  let serial = 0;
  await runWebhookCheck(
    {
      webhooks,
      openWebhook: (record) => new WebhookClient({ record, allowsPrivate: true, lookup: SYSTEM_LOOKUP }),
      timers: SYSTEM_TIMERS,
      newUuid: randomUUID,
      network: {
        clock: () => chain.clock(),
        recentBlockhash: () => chain.recentBlockhash(),
        giveLamports: async (wallet, lamports) => {
          const account = { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false };
          network.setAccount(wallet, { ...account, rentEpoch: 0n });
        },
        giveTokens: async (_wallet, mint, amount) => {
          fundMaker(market, taker, mint === SOL.mint ? SOL : USDC, amount);
        },
        accountOf,
      },
    },
    { makerId: 'maker-0', taker, lastLookMs: 1_000, nextSerial: () => serial++ },
    (finding) => findings.push(finding),
  );
  expect(findings.map(({ situation }) => situation)).toEqual(WEBHOOK_SITUATIONS);
  return findings;
}

const failedOf = (findings: readonly Finding[]) =>
  findings.filter(({ outcome }) => outcome === 'failed').map(({ situation }) => situation);

const wrongQuote =
  (change: Record<string, unknown>): Answering =>
  ({ body }) =>
    typeof body.amount === 'string' ? { body: { ...maker.quote(body), ...change } } : no(400);

const rejecting =
  (answer: object): Answering =>
  ({ body }) =>
    typeof body.transaction === 'string' ? { body: { quoteId: body.quoteId, ...answer } } : no(400);

const WRONG_QUOTES: readonly WebhookSituation[] = [
  'quote of an exact input',
  'quote of an exact output',
  'no quote of an unknown token',
  'key',
];
/** A maker that answers all quotes alike refuses neither unknown tokens, nor bodies, nor keys. */
const NO_QUOTES: readonly WebhookSituation[] = [
  'quote of an exact input',
  'quote of an exact output',
  'no quote of an unknown token',
  'malformed requests',
  'key',
];
const ALL_SWAPS: readonly WebhookSituation[] = [
  'swap',
  'rejection',
  'rejection for lack of balance',
  'rejection of a signature',
  'refuses a better price',
  'refuses an instruction that takes from its address',
  'refuses to pay for an account',
  'refuses a quote that is not its own',
];
