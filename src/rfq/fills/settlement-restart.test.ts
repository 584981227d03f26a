import fc from 'fast-check';
import { expect, it } from 'vitest';
import { yieldToOtherWork } from '../../testing/waits.ts';
import { assertProperty } from '../../testing/random.ts';
import { SOL, USDC } from '../../testing/genesis-market/makers.ts';
import { base64, MemoryRecords, silent, TestMakers } from '../../testing/rfq/makers.ts';
import { ManualTimers } from '../../testing/timers.ts';
import {
  addSignatures,
  parseTransaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import type { CoSignResult, FillCheck } from './prospects/co-signing.ts';
import { Reservations } from '../books/reservations.ts';
import { FillLog } from './fill-log.ts';
import type { FillRecords } from './fill-records.ts';
import { Settlement } from './settlement.ts';
import {
  checkWith,
  MAKER,
  MAKER_ID,
  createTakerSignedFill,
  TERMS,
  ANSWER,
  createFillOrder,
} from '../../testing/genesis-market/signed-fill.ts';

it('Settlement ends every swap once, however often and whenever its process is killed', async () => {
  const ends = { confirmed: 0, expired: 0 };
  let removed = 0;
  const property = fc.asyncProperty(steps, async (happened) => {
    const processes = new Processes();
    for (const [one, isThrough] of happened) {
      await take(processes, one);
      if (!isThrough) continue;
      await yieldToOtherWork();
      const promised = processes.landing().length + processes.settlement.pending(MAKER_ID).length;
      expect(processes.taken >= TERMS.most * BigInt(promised)).toBe(true);
    }
    while (processes.endCheck()) await yieldToOtherWork();
    await yieldToOtherWork();
    processes.timers.advance(10_000);
    await yieldToOtherWork();
    for (const swapUuid of processes.landing()) await processes.land(swapUuid);
    processes.timers.advance(5_000);
    await yieldToOtherWork();
    expect(processes.taken).toBe(0n);
    expect(processes.settlement.pending(MAKER_ID)).toEqual([]);
    for (const { transaction } of processes.makers.offered) {
      expect(processes.unfit).not.toContain(signatureOf(transaction));
    }
    removed += processes.asked - processes.records.rows.size;
    for (const { swapUuid, state, signed, answer, offered } of processes.records.rows.values()) {
      expect([state, answer?.kind === 'succeeded']).toEqual(
        signed === null ? ['expired', false] : ['confirmed', true],
      );
      const counted = new Set(processes.counted.get(swapUuid));
      const told = new Set(processes.told.get(swapUuid));
      // A swap that the service gave up is not held against its maker.
      expect([...counted]).toEqual(state === 'confirmed' ? ['filled'] : counted.size === 0 ? [] : ['missed']);
      expect(told.has('confirmed')).toBe(state === 'confirmed');
      expect(told.has('failed') && state === 'confirmed').toBe(false);
      if (processes.unfit.has(signatureOf(offered))) expect(state).toBe('expired');
      ends[state === 'confirmed' ? 'confirmed' : 'expired']++;
    }
  });
  await assertProperty(property, { cases: 400, seed: SEED });
  for (const count of [removed, ...Object.values(ends)]) expect(count).toBeGreaterThan(100);
});

const SEED = 20_261_122;

const LANDED = { kind: 'succeeded', signature: 'of the taker', slot: 1n, amounts: null } as const;
const WIRES = Array.from({ length: 10 }, (_, number) => createTakerSignedFill(number));
const signatureOf = (wire: Uint8Array) => getTransactionSignature(parseTransaction(wire));

type Step =
  | { readonly kind: 'kill' | 'leave' | 'come' | 'check' }
  | { readonly kind: 'execute'; readonly isFit: boolean; readonly isSlow: boolean }
  | { readonly kind: 'sign' | 'land'; readonly which: number }
  | { readonly kind: 'wait'; readonly ms: number };

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('kill', 'leave', 'come', 'check', 'check') }) as fc.Arbitrary<Step>,
  fc.record({
    kind: fc.constant('execute' as const),
    isFit: fc.constantFrom(true, true, true, false),
    isSlow: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom('sign', 'sign', 'land', 'land'),
    which: fc.nat(2),
  }) as fc.Arbitrary<Step>,
  fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(6_000) }),
);
/** Each with whether it is through before the next one begins. */
const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 8, maxLength: 30 });

/** What one process after the other does with the same records, makers and clock. */
class Processes {
  readonly makers = new TestMakers();
  readonly timers = new ManualTimers();
  readonly records = new MemoryRecords();
  /** Of each swap, in order. */
  readonly told = new Map<string, string[]>();
  readonly counted = new Map<string, string[]>();
  /** The signatures of swaps whose checks refuse them. */
  readonly unfit = new Set<string>();
  /** Ends the checks of the living process that take longer, oldest first. */
  readonly #checks: (() => void)[] = [];
  #asked = 0;
  #uuids = 0;
  #process = this.#start();

  constructor() {
    this.makers.stream(MAKER, { base: SOL, quote: USDC }, [], [{ price: 1n, volume: 100n }]);
    this.makers.connect(MAKER_ID, silent);
  }

  get settlement(): Settlement {
    return this.#process.settlement;
  }

  /** How many swaps takers have executed. */
  get asked(): number {
    return this.#asked;
  }

  get taken(): bigint {
    return this.#process.reservations.reserved(MAKER_ID, SOL.mint);
  }

  execute({ isFit, isSlow }: { readonly isFit: boolean; readonly isSlow: boolean }): void {
    const wire = WIRES[this.#asked];
    if (wire === undefined) return;
    const requestId = `request ${this.#asked++}`;
    const { settlement } = this;
    const signature = signatureOf(wire);
    if (!isFit) this.unfit.add(signature);
    const request = { order: createFillOrder(requestId), wire, signature };
    void this.#answered(settlement.coSign(request, this.#check(signature, isSlow)));
  }

  #check(signature: string, isSlow: boolean): FillCheck {
    const refusal = this.unfit.has(signature) ? ({ refused: 'rejected', reason: 'unfit' } as const) : null;
    if (!isSlow) return checkWith(Promise.resolve(refusal));
    return checkWith(new Promise((resolve) => this.#checks.push(() => resolve(refusal))));
  }

  endCheck(): boolean {
    const end = this.#checks.shift();
    end?.();
    return end !== undefined;
  }

  /** Nothing of the process happens any more, and another one goes on with what it has recorded. */
  async kill(): Promise<void> {
    this.#process.isAlive = false;
    this.#checks.length = 0;
    this.#process = this.#start();
    for (const record of await this.records.unfinished()) {
      const signature = signatureOf(record.offered);
      if (record.signed === null)
        void this.#answered(
          this.settlement.resumeLastLook(record, TERMS, signature, this.#check(signature, true)),
        );
      else {
        this.settlement.resumeSubmission(record, TERMS, signature);
        this.#process.landing.add(record.swapUuid);
      }
    }
  }

  sign(which: number): void {
    const swap = this.makers.offered.at(-1 - which);
    if (swap === undefined) return;
    const signed = addSignatures(parseTransaction(swap.transaction), [MAKER]);
    this.makers.submit(MAKER_ID, swap.swapUuid, base64(signed));
  }

  /** Swaps that the process has sent to the chain, oldest first. */
  landing(): readonly string[] {
    return [...this.#process.landing];
  }

  async land(swapUuid: string): Promise<void> {
    this.#process.landing.delete(swapUuid);
    await this.settlement.landed(swapUuid, 'landed', LANDED);
  }

  async #answered(answer: Promise<CoSignResult>): Promise<void> {
    const process = this.#process;
    const { refused, swapUuid } = await answer;
    if (!process.isAlive || swapUuid === null) return;
    if (refused === undefined) process.landing.add(swapUuid);
    else await process.settlement.refused(swapUuid, ANSWER);
  }

  #start() {
    const { makers, timers, records } = this;
    const process = { isAlive: true, landing: new Set<string>() };
    /** Does nothing, and never answers, after the end of the process. */
    const living =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        process.isAlive ? work(...args) : new Promise<never>(() => {});
    const note = (list: Map<string, string[]>, swapUuid: string, what: string) => {
      if (process.isAlive) list.set(swapUuid, [...(list.get(swapUuid) ?? []), what]);
    };
    const counts = (what: string) => async (_: string, swapUuid: string) =>
      note(this.counted, swapUuid, what);
    const reservations = new Reservations(makers, () => timers.now());
    const livingRecords: FillRecords = {
      begin: living((record) => records.begin(record)),
      discard: living((swapUuid) => records.discard(swapUuid)),
      sign: living((swapUuid, signed) => records.sign(swapUuid, signed)),
      end: living((swapUuid, end) => records.end(swapUuid, end)),
      byRequest: living((requestId) => records.byRequest(requestId)),
      unfinished: living(() => records.unfinished()),
      endedSince: living(() => records.endedSince()),
    };
    const onDefect = (error: unknown) => {
      throw error;
    };
    const settlement = new Settlement({
      reservations,
      timers,
      newUuid: () => `swap ${this.#uuids++}`,
      chainTime: () => 0n,
      link: {
        offer: (swap) => process.isAlive && makers.offer(swap),
        confirmed: (_, swapUuid) => note(this.told, swapUuid, 'confirmed'),
        failed: (_, swapUuid) => note(this.told, swapUuid, 'failed'),
      },
      scoring: { filled: counts('filled'), missed: counts('missed'), tampered: counts('tampered') },
      log: new FillLog({ records: livingRecords, onDefect }),
      onDefect,
      noteLastLook: () => undefined,
    });
    makers.lastLook = settlement;
    return Object.assign(process, { settlement, reservations });
  }
}

async function take(processes: Processes, one: Step): Promise<void> {
  if (one.kind === 'execute') processes.execute(one);
  if (one.kind === 'check') processes.endCheck();
  if (one.kind === 'kill') await processes.kill();
  if (one.kind === 'leave') processes.makers.disconnect(MAKER_ID);
  if (one.kind === 'come') processes.makers.connect(MAKER_ID, silent);
  if (one.kind === 'wait') processes.timers.advance(one.ms);
  if (one.kind === 'sign') processes.sign(one.which);
  if (one.kind !== 'land') return;
  const swapUuid = processes.landing().at(-1 - one.which);
  // The process may be killed while it settles.
  if (swapUuid !== undefined) void processes.land(swapUuid);
}
