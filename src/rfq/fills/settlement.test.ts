import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../test/random.ts';
import { newMaker, SOL, USDC } from '../../../test/genesis-market/makers.ts';
import { base64, MemoryRecords, silent, TestMakers } from '../../../test/makers.ts';
import { ManualTimers } from '../../../test/timers.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { addSignatures, parseTransaction, transactionSignature } from '../../solana/messages/transaction.ts';
import { Reservations } from '../books/reservations.ts';
import type { CoSignResult } from './co-signing.ts';
import { FillLog } from './fill-log.ts';
import type { FillRecord } from './fill-records.ts';
import { WITHHELD } from './fill-results.ts';
import { Settlement } from './settlement.ts';
import { MAKER, MAKER_ID, PASSED, signedByTaker, TERMS } from './signed-for-tests.ts';

const SEED = 20_261_125;
const stranger = newMaker('stranger');
const DEPTH = 10n;

const TRANSACTIONS = Array.from({ length: 12 }, (_, number) => signedByTaker(number));

interface World {
  readonly makers: TestMakers;
  readonly timers: ManualTimers;
  readonly records: MemoryRecords;
  readonly reservations: Reservations;
  readonly settlement: Settlement;
  readonly log: FillLog;
  readonly answers: Map<string, CoSignResult>;
  readonly asked: string[];
  /** Milliseconds from each push to its signature. */
  readonly looks: number[];
  storing: boolean;
}

function open(records = new MemoryRecords()): World {
  const makers = new TestMakers();
  const timers = new ManualTimers();
  const reservations = new Reservations(makers, () => timers.now());
  let uuids = 0;
  const log = new FillLog({
    records: {
      begin: (record) => records.begin(record),
      discard: (uuid) => records.discard(uuid),
      sign: (uuid, signed) =>
        world.storing ? records.sign(uuid, signed) : Promise.reject(new Error('the disk is full')),
      end: (uuid, end) => records.end(uuid, end),
      byRequest: (requestId) => records.byRequest(requestId),
      unfinished: () => records.unfinished(),
      endedSince: () => records.endedSince(),
    },
    onDefect: () => undefined,
  });
  const settlement = new Settlement({
    link: makers,
    scoring: makers,
    reservations,
    timers,
    log,
    newUuid: () => `swap ${uuids++}`,
    chainTime: () => 0n,
    onDefect: () => undefined,
    noteLastLook: (_, milliseconds) => world.looks.push(milliseconds),
  });
  const world: World = {
    makers,
    timers,
    records,
    reservations,
    settlement,
    log,
    answers: new Map(),
    asked: [],
    storing: true,
    looks: [],
  };
  makers.lastLook = settlement;
  makers.stream(MAKER, { base: SOL, quote: USDC }, [], [{ price: 1n, volume: DEPTH }]);
  makers.connect(MAKER_ID, silent);
  return world;
}

/** Each of these must have come about, or the property says little. */
const ENDS = ['filled', 'missed', 'tampered', 'refused'];

type Step =
  | { readonly kind: 'execute' | 'disconnect' | 'connect' | 'disk fails' | 'disk works' }
  | { readonly kind: 'sign' | 'forge' | 'tamper' | 'foreign' | 'land' | 'fail'; readonly which: number }
  | { readonly kind: 'wait'; readonly ms: number };

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom(
        'execute',
        'execute',
        'execute',
        'disconnect',
        'connect',
        'disk fails',
        'disk works',
      ),
    }) as fc.Arbitrary<Step>,
    fc.record({
      kind: fc.constantFrom('sign', 'sign', 'forge', 'tamper', 'foreign', 'land', 'fail'),
      which: fc.nat(3),
    }) as fc.Arbitrary<Step>,
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(6_000) }),
  ),
  { minLength: 10, maxLength: 40 },
);

const turn = () => new Promise(setImmediate);

async function take(world: World, step: Step): Promise<void> {
  const { makers, settlement, timers, asked } = world;
  if (step.kind === 'execute') return execute(world);
  if (step.kind === 'connect') makers.connect(MAKER_ID, silent);
  if (step.kind === 'disconnect') makers.disconnect(MAKER_ID);
  if (step.kind === 'disk fails' || step.kind === 'disk works') world.storing = step.kind === 'disk works';
  if (step.kind === 'wait') timers.advance(step.ms);
  if (!('which' in step)) return;
  const offered = makers.offered.find(({ swapUuid }) => swapUuid === asked.at(-1 - step.which));
  if (offered === undefined) return;
  const { swapUuid, transaction } = offered;
  const by = (keypair: Keypair) => base64(addSignatures(parseTransaction(transaction), [keypair]));
  if (step.kind === 'sign') makers.submit(MAKER_ID, swapUuid, by(MAKER));
  if (step.kind === 'forge') makers.submit(MAKER_ID, swapUuid, base64(transaction));
  if (step.kind === 'foreign') makers.submit(`of ${stranger.address}`, swapUuid, by(MAKER));
  if (step.kind === 'tamper') {
    makers.submit(MAKER_ID, swapUuid, base64(addSignatures(parseTransaction(signedByTaker(99)), [MAKER])));
  }
  if (step.kind !== 'land' && step.kind !== 'fail') return;
  const answer = world.answers.get(swapUuid);
  if (answer !== undefined && answer.refused === undefined) {
    await settlement.landed(swapUuid, step.kind === 'land' ? 'landed' : 'lost', '{}');
  }
}

async function execute({ settlement, answers, asked }: World): Promise<void> {
  const number = asked.length;
  const wire = TRANSACTIONS[number];
  if (wire === undefined) return;
  const swapUuid = `swap ${number}`;
  asked.push(swapUuid);
  const signature = transactionSignature(parseTransaction(wire));
  const answer = settlement.coSign({
    requestId: `request ${number}`,
    terms: TERMS,
    order: '{}',
    wire,
    signature,
  });
  answer.then(async (found) => {
    expect(answers.has(swapUuid)).toBe(false);
    answers.set(swapUuid, found);
    if (found.refused !== undefined && found.swapUuid !== null) await settlement.refused(swapUuid, '{}');
  });
  await turn();
}

function promisedNow({ answers, asked, records }: World): bigint {
  const open = asked.filter((uuid) => {
    const row = records.rows.get(uuid);
    return row !== undefined && row.answer === null && answers.get(uuid)?.refused === undefined;
  });
  return BigInt(open.length) * TERMS.most;
}

describe('Settlement', () => {
  it('keeps its promises in any order of events', async () => {
    const ends = new Map<string, number>();
    const property = fc.asyncProperty(steps, async (happened) => {
      const world = open();
      for (const step of happened) {
        await take(world, step);
        await turn();
        expect(promisedNow(world) <= DEPTH).toBe(true);
        expect(world.reservations.reserved(MAKER_ID, SOL.mint) >= promisedNow(world)).toBe(true);
      }
      world.timers.advance(10_000);
      await turn();
      // Ten seconds after the last push, everybody who asked has an answer.
      expect([...world.answers.keys()].sort()).toEqual([...world.asked].sort());
      for (const [uuid, { refused }] of world.answers) {
        if (refused === undefined) await world.settlement.landed(uuid, 'landed', '{}');
      }
      world.timers.advance(5_000);
      expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
      expect(world.settlement.pending(MAKER_ID)).toEqual([]);

      const signed = [...world.answers.values()].filter(({ refused }) => refused === undefined);
      for (const { swapUuid } of signed) {
        const row = world.records.rows.get(swapUuid ?? '');
        expect(row?.signed).not.toBeNull();
      }
      const { events } = world.makers;
      const told = (word: string) => events.filter((event) => event.startsWith(word)).length;
      expect(told('filled') + told('missed') + told('tampered')).toBeLessThanOrEqual(world.asked.length);
      expect(told('filled')).toBe(told('confirmed'));
      expect(told('tampered with nothing')).toBe(0);
      for (const word of ENDS) ends.set(word, (ends.get(word) ?? 0) + told(word));
    });
    const suite = { cases: 400, short: 200, seed: SEED };
    await assertProperty(property, suite);
    for (const word of ENDS) expect(ends.get(word)).toBeGreaterThan(countCases(suite) / 8);
  });

  it('asks for one signature if a request is made twice', async () => {
    const world = open();
    const wire = TRANSACTIONS[0] as Uint8Array;
    const signature = transactionSignature(parseTransaction(wire));
    const request = { requestId: 'one', terms: TERMS, order: '{}', wire, signature };
    const first = world.settlement.coSign(request);
    expect(await world.settlement.coSign(request)).toMatchObject({ refused: 'known' });
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(TERMS.most);
    expect(world.settlement.pending(MAKER_ID)).toHaveLength(1);
    await take({ ...world, asked: ['swap 0'] }, { kind: 'sign', which: 0 });
    expect(await first).toMatchObject({ swapUuid: 'swap 0', wire: expect.any(Uint8Array) });
  });

  it.each([
    ['is written down', true, null, 1],
    ['is known to have been made before', false, 'known', 0],
    ['cannot be written down', new Error('the disk is full'), 'failed', 0],
  ])('pushes a swap when it %s, and not before', async (_, outcome, refused, pushes) => {
    const world = open();
    let written = (): void => {};
    world.records.begin = () =>
      new Promise((resolve, reject) => {
        written = () => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      });
    await execute(world);
    expect(world.makers.offered).toEqual([]);
    expect(world.settlement.pending(MAKER_ID)).toEqual([]);
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    written();
    await turn();
    expect(world.makers.offered).toHaveLength(pushes);
    expect(world.answers.get('swap 0')?.refused ?? null).toBe(refused);
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(pushes === 1 ? TERMS.most : 0n);
  });

  it('continues what an ended process had offered, for the rest of its ten seconds', async () => {
    const before = open();
    await execute(before);
    const [record] = await before.log.unfinished();
    if (record === undefined) throw new Error('nothing was recorded');
    const after = open(before.records);
    after.makers.disconnect(MAKER_ID);
    after.timers.advance(4_000);
    const wire = TRANSACTIONS[0] as Uint8Array;
    const answer = after.settlement.resumeLastLook(
      record,
      TERMS,
      transactionSignature(parseTransaction(wire)),
      PASSED,
    );
    await turn();
    expect(after.reservations.reserved(MAKER_ID, SOL.mint)).toBe(TERMS.most);
    after.timers.advance(5_999);
    expect(after.settlement.pending(MAKER_ID)).toMatchObject([{ swapUuid: 'swap 0', transaction: wire }]);
    after.timers.advance(1);
    expect(await answer).toMatchObject({ refused: 'expired', swapUuid: 'swap 0' });
    expect(after.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    // The maker is notified once the end is recorded, and has not missed it.
    expect(after.makers.events).toEqual([]);
    expect(await after.settlement.refused('swap 0', '{}')).toBe(true);
    expect(after.makers.events).toEqual(['failed: the maker did not sign within 10 seconds']);
  });

  describe('when another process has taken over', () => {
    const wire = TRANSACTIONS[0] as Uint8Array;
    const signature = transactionSignature(parseTransaction(wire));
    const signed = base64(addSignatures(parseTransaction(wire), [MAKER]));
    const submitted = { makerId: MAKER_ID, swapUuid: 'swap 0', signedTransaction: signed };
    let late: World;
    let owner: World;
    let answers: Promise<CoSignResult>;

    /** `late` has offered the swap, and `owner` goes on with it while `late` still waits. */
    beforeEach(async () => {
      late = open();
      await execute(late);
      owner = open(late.records);
      const record = await owner.log.find('request 0');
      if (record === null) throw new Error('nothing was recorded');
      answers = owner.settlement.resumeLastLook(record, TERMS, signature, PASSED);
    });

    it('does not report a failure to the maker if the other has confirmed the swap', async () => {
      expect(owner.settlement.submitted(submitted)).toBeNull();
      expect(await answers).toMatchObject({ swapUuid: 'swap 0', wire: expect.any(Uint8Array) });
      await owner.settlement.landed('swap 0', 'landed', '{}');
      late.timers.advance(10_000);
      await expect.poll(() => late.answers.get('swap 0')?.refused).toBe('expired');
      await turn();
      expect(late.makers.events).toEqual(['offered']);
      expect(owner.makers.events).toContain(`confirmed ${signature}`);
      expect(late.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    });

    it('does not report a late signature to the maker if the other has the signature', async () => {
      expect(owner.settlement.submitted(submitted)).toBeNull();
      await answers;
      expect(late.settlement.submitted(submitted)).toBeNull();
      await expect.poll(() => late.answers.get('swap 0')?.refused).toBe('failed');
      await turn();
      expect(late.makers.events).toEqual(['offered']);
    });

    it('does not report a failed landing to the maker if the other saw the swap land', async () => {
      expect(late.settlement.submitted(submitted)).toBeNull();
      await expect.poll(() => late.answers.get('swap 0')?.refused).toBeUndefined();
      await turn();
      const record = await owner.log.find('request 0');
      if (record === null) throw new Error('nothing is recorded');
      const again = open(late.records);
      again.settlement.resumeSubmission(record, TERMS, signature);
      await again.settlement.landed('swap 0', 'landed', '{}');
      await late.settlement.landed('swap 0', 'lost', '{}');
      expect(late.makers.events).toEqual(['offered']);
      expect(late.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    });

    it('counts only the first deadline that is recorded', async () => {
      late.timers.advance(10_000);
      await expect.poll(() => late.makers.events.length).toBe(3);
      owner.timers.advance(10_000);
      await answers;
      expect(await owner.settlement.refused('swap 0', '{}')).toBe(false);
      await turn();
      const { events } = late.makers;
      expect(events).toEqual(['offered', 'missed', 'failed: the maker did not sign within 10 seconds']);
      expect(owner.makers.events).not.toContain('failed: the maker did not sign within 10 seconds');
    });
  });

  it('notifies the maker of an end that is written twice at once, also if the second write is answered first', async () => {
    const world = open();
    const { makers, records, settlement, timers } = world;
    await execute(world);
    const end = records.end.bind(records);
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    records.end = async (...about) => {
      const isTaken = await end(...about);
      if (isTaken) await isAnswered;
      return isTaken;
    };
    timers.advance(10_000);
    await expect.poll(() => world.answers.get('swap 0')?.refused).toBe('expired');
    const again = settlement.refused('swap 0', '{}');
    await turn();
    answer();
    expect(await again).toBe(false);
    await turn();
    expect(makers.events).toEqual(['offered', 'missed', 'failed: the maker did not sign within 10 seconds']);
  });

  describe('a repeated request for a fill that was given up', () => {
    const signature = transactionSignature(parseTransaction(TRANSACTIONS[0] as Uint8Array));

    let world: World;
    let record: FillRecord;

    /** The signature cannot be recorded, and neither can the end. */
    beforeEach(async () => {
      world = open();
      world.storing = false;
      const end = world.records.end.bind(world.records);
      world.records.end = () => Promise.reject(new Error('the database is away'));
      await execute(world);
      await take(world, { kind: 'sign', which: 0 });
      await expect.poll(() => world.answers.get('swap 0')?.refused).toBe('failed');
      await turn();
      world.records.end = end;
      [record] = (await world.log.unfinished()) as [FillRecord];
    });

    const failures = () => world.makers.events.filter((event) => event.startsWith('failed'));

    it('does not offer it again while its end is written', async () => {
      const { settlement } = world;
      const ended = settlement.refused('swap 0', '{}');
      const answer = settlement.resumeLastLook(record, TERMS, signature, PASSED);
      expect(await ended).toBe(true);
      expect(await answer).toMatchObject({ refused: 'expired' });
      expect(failures()).toEqual([`failed: ${WITHHELD}`]);
      expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    });

    it('ends it itself, once it has offered it again', async () => {
      const { settlement, timers } = world;
      const answer = settlement.resumeLastLook(record, TERMS, signature, PASSED);
      expect(await settlement.refused('swap 0', '{}')).toBeNull();
      timers.advance(10_000);
      expect(await answer).toMatchObject({ refused: 'expired' });
      expect(await settlement.refused('swap 0', '{}')).toBe(true);
      expect(failures()).toHaveLength(1);
    });
  });

  it('does not submit a transaction that it could not record', async () => {
    const world = open();
    world.storing = false;
    await execute(world);
    await take(world, { kind: 'sign', which: 0 });
    await turn();
    expect(world.answers.get('swap 0')).toMatchObject({ refused: 'failed' });
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    expect(world.makers.events).not.toContain('missed');
  });

  it('measures how long the maker took to sign each swap', async () => {
    const world = open();
    await execute(world);
    await execute(world);
    world.timers.advance(1_500);
    await take(world, { kind: 'sign', which: 0 });
    world.timers.advance(9_000);
    await turn();
    expect(world.looks).toEqual([1_500]);
  });
});
