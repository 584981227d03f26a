import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { assertProperty, countCases } from '../../testing/random.ts';
import { SOL } from '../../testing/genesis-market/makers.ts';
import { parseTransaction, getTransactionSignature } from '../../solana/messages/transaction.ts';
import { MAKER_ID, TERMS, ANSWER, createFillOrder } from '../../testing/genesis-market/signed-fill.ts';
import {
  DEPTH,
  executeNext,
  openSettlement,
  SETTLED_SWAPS,
  type SettlementStep,
  type SettlementWorld,
  takeStep,
} from '../../testing/genesis-market/settlement.ts';

describe('Settlement', () => {
  it('keeps its promises in any order of events', async () => {
    const ends = new Map<string, number>();
    const property = fc.asyncProperty(steps, async (happened) => {
      const world = openSettlement();
      for (const step of happened) {
        await takeStep(world, step);
        await yieldToOtherWork();
        expect(promisedNow(world) <= DEPTH).toBe(true);
        expect(world.reservations.reserved(MAKER_ID, SOL.mint) >= promisedNow(world)).toBe(true);
      }
      world.timers.advance(10_000);
      await yieldToOtherWork();
      // Ten seconds after the last push, everybody who asked has an answer.
      expect([...world.answers.keys()].sort()).toEqual([...world.asked].sort());
      for (const [uuid, { refused }] of world.answers) {
        if (refused === undefined) await world.settlement.landed(uuid, 'landed', ANSWER);
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
    const world = openSettlement();
    const wire = SETTLED_SWAPS[0] as Uint8Array;
    const signature = getTransactionSignature(parseTransaction(wire));
    const request = { order: createFillOrder('one'), wire, signature };
    const first = world.settlement.coSign(request);
    expect(await world.settlement.coSign(request)).toMatchObject({ refused: 'known' });
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(TERMS.most);
    expect(world.settlement.pending(MAKER_ID)).toHaveLength(1);
    await takeStep({ ...world, asked: ['swap 0'] }, { kind: 'sign', which: 0 });
    expect(await first).toMatchObject({ swapUuid: 'swap 0', wire: expect.any(Uint8Array) });
  });

  it.each([
    ['is written down', true, null, 1],
    ['is known to have been made before', false, 'known', 0],
    ['cannot be written down', new Error('the disk is full'), 'failed', 0],
  ])('pushes a swap when it %s, and not before', async (_, outcome, refused, pushes) => {
    const world = openSettlement();
    let written = (): void => {};
    world.records.begin = () =>
      new Promise((resolve, reject) => {
        written = () => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      });
    await executeNext(world);
    expect(world.makers.offered).toEqual([]);
    expect(world.settlement.pending(MAKER_ID)).toEqual([]);
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    written();
    await yieldToOtherWork();
    expect(world.makers.offered).toHaveLength(pushes);
    expect(world.answers.get('swap 0')?.refused ?? null).toBe(refused);
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(pushes === 1 ? TERMS.most : 0n);
  });

  it('does not submit a transaction that it could not record', async () => {
    const world = openSettlement();
    world.storing = false;
    await executeNext(world);
    await takeStep(world, { kind: 'sign', which: 0 });
    await yieldToOtherWork();
    expect(world.answers.get('swap 0')).toMatchObject({ refused: 'failed' });
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    expect(world.makers.events).not.toContain('missed');
  });

  it('sends nothing to another maker that was registered under the id of the one that quoted', async () => {
    const world = openSettlement();
    world.wallet = createKeypairFromSeed(new Uint8Array(32).fill(9)).address;
    await executeNext(world);
    await yieldToOtherWork();
    expect(world.answers.get('swap 0')).toMatchObject({
      refused: 'rejected',
      reason: `the operator removed the maker ${MAKER_ID}, and registered another one under its id`,
    });
    expect([world.makers.offered.length, world.records.rows.size]).toEqual([0, 0]);
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    expect(world.makers.events).toEqual([]);
  });

  it('gives up what a removed maker has not signed at once, and goes on with what it has signed', async () => {
    const world = openSettlement();
    await executeNext(world);
    await executeNext(world);
    await takeStep(world, { kind: 'sign', which: 1 });
    await yieldToOtherWork();
    world.settlement.withdrawMaker(MAKER_ID);
    await yieldToOtherWork();
    expect(world.answers.get('swap 1')).toMatchObject({
      refused: 'rejected',
      reason: `the operator removed the maker ${MAKER_ID}`,
    });
    expect(world.answers.get('swap 0')).toMatchObject({ wire: expect.any(Uint8Array) });
    expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(TERMS.most);
    await world.settlement.landed('swap 0', 'landed', ANSWER);
    expect(world.records.rows.get('swap 0')).toMatchObject({ state: 'confirmed' });
    expect(world.makers.events).not.toContain('missed');
  });

  it('measures how long the maker took to sign each swap', async () => {
    const world = openSettlement();
    await executeNext(world);
    await executeNext(world);
    world.timers.advance(1_500);
    await takeStep(world, { kind: 'sign', which: 0 });
    world.timers.advance(9_000);
    await yieldToOtherWork();
    expect(world.looks).toEqual([1_500]);
  });
});

const SEED = 20_261_125;

/** Each of these must have come about, or the property says little. */
const ENDS = ['filled', 'missed', 'tampered', 'refused'];

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
    }) as fc.Arbitrary<SettlementStep>,
    fc.record({
      kind: fc.constantFrom('sign', 'sign', 'forge', 'tamper', 'foreign', 'land', 'fail'),
      which: fc.nat(3),
    }) as fc.Arbitrary<SettlementStep>,
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(6_000) }),
  ),
  { minLength: 10, maxLength: 40 },
);

function promisedNow({ answers, asked, records }: SettlementWorld): bigint {
  const open = asked.filter((uuid) => {
    const row = records.rows.get(uuid);
    return row !== undefined && row.answer === null && answers.get(uuid)?.refused === undefined;
  });
  return BigInt(open.length) * TERMS.most;
}
