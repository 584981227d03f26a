import { beforeEach, describe, expect, it } from 'vitest';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { SOL } from '../../testing/genesis-market/makers.ts';
import { base64 } from '../../testing/rfq/makers.ts';
import {
  addSignatures,
  parseTransaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import type { CoSignResult } from './prospects/co-signing.ts';
import type { FillRecord } from './fill-records.ts';
import { WITHHELD } from './fill-results.ts';
import { MAKER, MAKER_ID, PASSED, TERMS, ANSWER } from '../../testing/genesis-market/signed-fill.ts';
import {
  executeNext,
  openSettlement,
  SETTLED_SWAPS,
  type SettlementWorld,
  takeStep,
} from '../../testing/genesis-market/settlement.ts';
import { openForEach } from '../../testing/opened.ts';

describe('Settlement', () => {
  it('continues what an ended process had offered, for the rest of its ten seconds', async () => {
    const before = openSettlement();
    await executeNext(before);
    const [record] = await before.log.unfinished();
    if (record === undefined) throw new Error('nothing was recorded');
    const after = openSettlement(before.records);
    after.makers.disconnect(MAKER_ID);
    after.timers.advance(4_000);
    const wire = SETTLED_SWAPS[0] as Uint8Array;
    const answer = after.settlement.resumeLastLook(
      record,
      TERMS,
      getTransactionSignature(parseTransaction(wire)),
      PASSED,
    );
    await yieldToOtherWork();
    expect(after.reservations.reserved(MAKER_ID, SOL.mint)).toBe(TERMS.most);
    after.timers.advance(5_999);
    expect(after.settlement.pending(MAKER_ID)).toMatchObject([{ swapUuid: 'swap 0', transaction: wire }]);
    after.timers.advance(1);
    expect(await answer).toMatchObject({ refused: 'expired', swapUuid: 'swap 0' });
    expect(after.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    // The maker is notified once the end is recorded, and has not missed it.
    expect(after.makers.events).toEqual([]);
    expect(await after.settlement.refused('swap 0', ANSWER)).toBe(true);
    expect(after.makers.events).toEqual(['failed: the maker did not sign within 10 seconds']);
  });

  describe('when another process has taken over', () => {
    let owner: SettlementWorld;
    let answers: Promise<CoSignResult>;

    const late = openForEach(openSettlement);
    /** `late` has offered the swap, and `owner` goes on with it while `late` still waits. */
    beforeEach(async () => {
      await executeNext(late);
      owner = openSettlement(late.records);
      const record = await owner.log.find('request 0');
      if (record === null) throw new Error('nothing was recorded');
      answers = owner.settlement.resumeLastLook(record, TERMS, signature, PASSED);
    });

    it('does not report a failure to the maker if the other has confirmed the swap', async () => {
      expect(owner.settlement.submitted(submitted)).toBeNull();
      expect(await answers).toMatchObject({ swapUuid: 'swap 0', wire: expect.any(Uint8Array) });
      await owner.settlement.landed('swap 0', 'landed', ANSWER);
      late.timers.advance(10_000);
      await expect.poll(() => late.answers.get('swap 0')?.refused).toBe('expired');
      await yieldToOtherWork();
      expect(late.makers.events).toEqual(['offered']);
      expect(owner.makers.events).toContain(`confirmed ${signature}`);
      expect(late.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    });

    it('does not report a late signature to the maker if the other has the signature', async () => {
      expect(owner.settlement.submitted(submitted)).toBeNull();
      await answers;
      expect(late.settlement.submitted(submitted)).toBeNull();
      await expect.poll(() => late.answers.get('swap 0')?.refused).toBe('failed');
      await yieldToOtherWork();
      expect(late.makers.events).toEqual(['offered']);
    });

    it('does not report a failed landing to the maker if the other saw the swap land', async () => {
      expect(late.settlement.submitted(submitted)).toBeNull();
      await expect.poll(() => late.answers.get('swap 0')?.refused).toBeUndefined();
      await yieldToOtherWork();
      const record = await owner.log.find('request 0');
      if (record === null) throw new Error('nothing is recorded');
      const again = openSettlement(late.records);
      again.settlement.resumeSubmission(record, TERMS, signature);
      await again.settlement.landed('swap 0', 'landed', ANSWER);
      await late.settlement.landed('swap 0', 'lost', ANSWER);
      expect(late.makers.events).toEqual(['offered']);
      expect(late.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    });

    it('counts only the first deadline that is recorded', async () => {
      late.timers.advance(10_000);
      await expect.poll(() => late.makers.events.length).toBe(3);
      owner.timers.advance(10_000);
      await answers;
      expect(await owner.settlement.refused('swap 0', ANSWER)).toBe(false);
      await yieldToOtherWork();
      const { events } = late.makers;
      expect(events).toEqual(['offered', 'missed', 'failed: the maker did not sign within 10 seconds']);
      expect(owner.makers.events).not.toContain('failed: the maker did not sign within 10 seconds');
    });

    const wire = SETTLED_SWAPS[0] as Uint8Array;
    const signature = getTransactionSignature(parseTransaction(wire));
    const signed = base64(addSignatures(parseTransaction(wire), [MAKER]));
    const submitted = { makerId: MAKER_ID, swapUuid: 'swap 0', signedTransaction: signed };
  });

  it('notifies the maker of an end that is written twice at once, also if the second write is answered first', async () => {
    const world = openSettlement();
    const { makers, records, settlement, timers } = world;
    await executeNext(world);
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
    const again = settlement.refused('swap 0', ANSWER);
    await yieldToOtherWork();
    answer();
    expect(await again).toBe(false);
    await yieldToOtherWork();
    expect(makers.events).toEqual(['offered', 'missed', 'failed: the maker did not sign within 10 seconds']);
  });

  describe('a repeated request for a fill that was given up', () => {
    let record: FillRecord;

    const world = openForEach(openSettlement);
    /** The signature cannot be recorded, and neither can the end. */
    beforeEach(async () => {
      world.storing = false;
      const end = world.records.end.bind(world.records);
      world.records.end = () => Promise.reject(new Error('the database is away'));
      await executeNext(world);
      await takeStep(world, { kind: 'sign', which: 0 });
      await expect.poll(() => world.answers.get('swap 0')?.refused).toBe('failed');
      await yieldToOtherWork();
      world.records.end = end;
      [record] = (await world.log.unfinished()) as [FillRecord];
    });

    it('does not offer it again while its end is written', async () => {
      const { settlement } = world;
      const ended = settlement.refused('swap 0', ANSWER);
      const answer = settlement.resumeLastLook(record, TERMS, signature, PASSED);
      expect(await ended).toBe(true);
      expect(await answer).toMatchObject({ refused: 'expired' });
      expect(failures()).toEqual([`failed: ${WITHHELD}`]);
      expect(world.reservations.reserved(MAKER_ID, SOL.mint)).toBe(0n);
    });

    it('ends it itself, once it has offered it again', async () => {
      const { settlement, timers } = world;
      const answer = settlement.resumeLastLook(record, TERMS, signature, PASSED);
      expect(await settlement.refused('swap 0', ANSWER)).toBeNull();
      timers.advance(10_000);
      expect(await answer).toMatchObject({ refused: 'expired' });
      expect(await settlement.refused('swap 0', ANSWER)).toBe(true);
      expect(failures()).toHaveLength(1);
    });

    const signature = getTransactionSignature(parseTransaction(SETTLED_SWAPS[0] as Uint8Array));

    const failures = () => world.makers.events.filter((event) => event.startsWith('failed'));
  });
});
