import { beforeEach, describe, expect, it } from 'vitest';
import { isFullySigned, parseTransaction } from '../../solana/messages/transaction.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { Reservations } from '../books/reservations.ts';
import { createTestAddress, openTestRfq, USDC } from '../../testing/rfq/test-rfq.ts';
import { type Landed, MakerChecks, type Report, type SignedSwap, SITUATIONS, Trials } from './index.ts';
import {
  type Conduct,
  MAKER_ID,
  modified,
  pass,
  signed,
  StreamingMaker,
} from '../../testing/rfq/checked-maker.ts';
import { REFUSAL_SITUATIONS } from './trials/report.ts';
import { openForEach } from '../../testing/opened.ts';

let reservations: Reservations;
let landed: SignedSwap[];
let landing: Landed;
let land: (swap: SignedSwap) => Promise<Landed>;
let checks: MakerChecks;
let defects: unknown[];
let secondsAhead: bigint;
const test = openForEach(openTestRfq);
beforeEach(setUp);

describe('MakerChecks', () => {
  it('passes a maker that behaves well', async () => {
    const { report, maker } = await check({});
    expect(of(report, 'passed')).toEqual(SITUATIONS);
    expect(report.passed).toBe(true);
    expect(maker.objections).toHaveLength(REFUSAL_SITUATIONS.length);
    const confirmed = maker.sent.filter(({ kind }) => kind === 'confirmed');
    expect(confirmed).toEqual([
      { kind: 'confirmed', swapUuid: expect.any(String), signature: landed[0]?.signature },
    ]);
    await expectNoTrace();
  });

  it('lands the one good swap, signed by both, and nothing else that was signed', async () => {
    await check({ look: (wire) => signed(wire) });
    expect(landed).toHaveLength(1);
    expect(landed.every(({ wire }) => isFullySigned(parseTransaction(wire)))).toBe(true);
  });

  it('finds every bad swap that a careless maker signs', async () => {
    const { report } = await check({ look: (wire) => signed(wire) });
    expect(of(report, 'failed')).toEqual(REFUSAL_SITUATIONS);
    expect(of(report, 'skipped')).toEqual([]);
    expect(detailOf(report, 'refuses a better price')).toMatch(/it signed .*; the signature was thrown away/);
    await expectNoTrace();
  });

  it.each<[string, Conduct, string[]]>([
    ['never answers', { look: () => null }, ['fill']],
    ['modifies', { look: (wire, wrong) => (wrong === null ? modified(wire) : null) }, ['fill']],
    ['answers rubbish', { look: () => 'AAAA' }, ['fill']],
    ['does not sign what waited for it', { look: signsUntil(3) }, ['reconnect']],
    ['restarts its sequence', { sequence: (last, count) => (count === 1 ? last + 1n : 1n) }, ['reconnect']],
    ['repeats sequence numbers', { sequence: (last) => (last === 0n ? 1n : last) }, ['quotes']],
    [
      'does not read',
      { unread: (sent) => sent.filter(({ kind }) => kind === 'pong').length },
      ['back-pressure'],
    ],
  ])('finds that a maker %s', async (_, conduct, failing) => {
    const { report } = await check(conduct);
    expect(of(report, 'failed')).toEqual(failing);
    expect(of(report, 'skipped')).toEqual([]);
    expect(report.passed).toBe(false);
    await expectNoTrace();
  });

  it('reports what is wrong with a signature', async () => {
    const modifying = await check({ look: (wire, wrong) => (wrong === null ? modified(wire) : null) });
    expect(detailOf(modifying.report, 'fill')).toContain('it returned another message than it was offered');
  });

  it('reports why an answer cannot be used', async () => {
    const { report } = await check({ look: () => 'AAAA' });
    expect(detailOf(report, 'fill')).toContain('what it returned cannot be used: signed_transaction is not');
  });

  it('says that the clock of the network was moved where nothing is signed', async () => {
    secondsAhead = 86_400n;
    const { report } = await check({ look: () => null });
    expect(detailOf(report, 'fill')).toMatch(/differs from the clock of this service by 8\d{4} s$/);
  });

  it('finds that a maker does not reconnect', async () => {
    const { report } = await check({ comesBack: false });
    expect(of(report, 'failed')).toEqual(['reconnect']);
    expect(of(report, 'skipped')).toEqual(['back-pressure']);
    await expectNoTrace();
  });

  it('finds that a maker disconnects instead of refusing', async () => {
    let maker: StreamingMaker | null = null;
    const look = (wire: Uint8Array, wrong: string | null) => {
      if (wrong !== null) maker?.leave();
      return wrong === null ? signed(wire) : null;
    };
    maker = await StreamingMaker.start(test, { look, comesBack: false });
    checks.begin(MAKER_ID, 1, 'streams');
    await pass(test.timers, () => checks.report(MAKER_ID)?.running === false);
    const report = checks.report(MAKER_ID);
    expect(report === null ? [] : of(report, 'failed')).toEqual(REFUSAL_SITUATIONS);
  });

  it('skips what cannot be tried', async () => {
    landing = { kind: 'lost', why: 'congestion' };
    const { report } = await check({});
    expect(of(report, 'skipped')).toEqual(['fill']);
    expect(detailOf(report, 'fill')).toContain('congestion');
    expect(report.passed).toBe(false);
    await expectNoTrace();
  });

  it('fails a fill that the chain refuses', async () => {
    landing = { kind: 'failed', error: { InstructionError: [2, { Custom: 6003 }] } };
    const { report, maker } = await check({});
    expect(detailOf(report, 'fill')).toContain('6003');
    expect(of(report, 'failed')).toEqual(['fill']);
    expect(maker.sent.some(({ kind }) => kind === 'confirmed')).toBe(false);
    await expectNoTrace();
  });

  it('tries nothing with a maker that is not connected, and checks one maker at a time', async () => {
    checks.begin(MAKER_ID, 1, 'streams');
    expect(checks.begin(MAKER_ID, 1, 'streams')).toBeNull();
    await pass(test.timers, () => checks.report(MAKER_ID)?.running === false);
    const report = checks.report(MAKER_ID);
    expect(report?.findings[0]).toEqual({
      situation: 'connection',
      outcome: 'failed',
      detail: 'it has no swap stream open here',
    });
    expect(report?.findings.slice(1).every(({ outcome }) => outcome === 'skipped')).toBe(true);
    expect(checks.report('maker-2')).toBeNull();
    expect(checks.begin(MAKER_ID, 1, 'streams')).not.toBeNull();
  });

  it('checks the streams of a maker without a webhook', () => {
    expect(checks.kindOf(MAKER_ID)).toBe('streams');
  });

  it('stops when the service closes, and keeps nothing waiting', async () => {
    const { timers, rfq } = test;
    await StreamingMaker.start(test, {});
    checks.begin(MAKER_ID, 1, 'streams');
    const other = rfq.makers.get(MAKER_ID)?.statistics.accepted ?? 0;
    checks.close();
    await pass(timers, () => (rfq.makers.get(MAKER_ID)?.statistics.accepted ?? 0) > other + 5);
    expect(checks.report(MAKER_ID)?.findings.map(({ situation }) => situation)).toEqual(['connection']);
  });

  it('releases its reservation if the network fails', async () => {
    land = () => Promise.reject(new Error('broken'));
    await StreamingMaker.start(test, {});
    checks.begin(MAKER_ID, 1, 'streams');
    await pass(test.timers, () => checks.report(MAKER_ID)?.running === false);
    expect(defects).toEqual([new Error('broken')]);
    expect(checks.report(MAKER_ID)).toMatchObject({ passed: false });
    await expectNoTrace();
  });

  it('offers no swaps to a maker that quotes nothing', async () => {
    const { report } = await check({ quotes: false });
    expect(of(report, 'failed')).toEqual(['quotes']);
    expect(of(report, 'skipped')).toEqual(SITUATIONS.slice(2));
  });
});

function setUp(): void {
  const { rfq, timers } = test;
  const trials = new Trials(rfq.swapStreams);
  reservations = new Reservations(rfq.ownBooks, () => timers.now());
  landed = [];
  landing = { kind: 'landed', slot: 7n };
  defects = [];
  secondsAhead = 0n;
  land = async (swap) => {
    landed.push(swap);
    return landing;
  };
  let made = 0;
  const dependencies = {
    makers: rfq.makers,
    books: rfq.ownBooks,
    link: rfq.link,
    swapStreams: rfq.swapStreams,
    swapConnections: rfq.swapConnections,
    quoteStreams: rfq.quoteStreams,
    reservations,
    trials,
    webhooks: { find: () => null, quoteMs: 250 },
    openWebhook: () => {
      throw new Error('no maker here has a webhook');
    },
    timers,
    newUuid: () => `trial-${++made}`,
    newKeypair: () => createKeypairFromSeed(new Uint8Array(32).fill(++made)),
    network: {
      clock: () => ({
        slot: 1n,
        epoch: 0n,
        unixTimestamp: BigInt(Math.floor(timers.now() / 1_000)) + secondsAhead,
      }),
      recentBlockhash: () => ({
        blockhash: createTestAddress(9),
        bytes: new Uint8Array(32).fill(9),
        lastValidBlockHeight: 150n,
        slot: 1n,
        fetchedAt: 0,
      }),
      giveLamports: async () => undefined,
      giveTokens: async () => undefined,
      land: (swap: SignedSwap) => land(swap),
      accountOf: async () => null,
    },
  };
  checks = new MakerChecks(dependencies, (error) => defects.push(error));
}

async function check(conduct: Conduct): Promise<{ readonly report: Report; readonly maker: StreamingMaker }> {
  const maker = await StreamingMaker.start(test, conduct);
  expect(checks.begin(MAKER_ID, 1, 'streams')).toMatchObject({ running: true });
  await pass(test.timers, () => checks.report(MAKER_ID)?.running === false);
  expect(defects).toEqual([]);
  const report = checks.report(MAKER_ID);
  if (report === null) throw new Error('there is no report');
  expect(report.findings.map(({ situation }) => situation)).toEqual(SITUATIONS);
  return { report, maker };
}

function of(report: Report, outcome: string): string[] {
  return report.findings.filter((finding) => finding.outcome === outcome).map(({ situation }) => situation);
}

function detailOf(report: Report, wanted: string): string {
  return report.findings.find(({ situation }) => situation === wanted)?.detail ?? '';
}

/** Nothing of a check may count for the maker or stay promised. */
async function expectNoTrace(): Promise<void> {
  const maker = test.rfq.makers.get(MAKER_ID);
  expect(maker?.statistics).toMatchObject({ filled: 0, missed: 0, tampered: 0 });
  expect(maker?.state).toMatchObject({ tampered: false, outcomes: [] });
  test.timers.advance(5_000);
  for (const mint of [WRAPPED_SOL_MINT, USDC]) expect(reservations.reserved(MAKER_ID, mint)).toBe(0n);
}

/** Signs so many good swaps. */
function signsUntil(count: number): NonNullable<Conduct['look']> {
  let left = count - 1;
  return (wire, wrong) => (wrong === null && left-- > 0 ? signed(wire) : null);
}
