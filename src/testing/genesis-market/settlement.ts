import { expect } from 'vitest';
import { yieldToOtherWork } from '../waits.ts';
import { createMaker, SOL, USDC } from './makers.ts';
import { base64, MemoryRecords, silent, TestMakers } from '../rfq/makers.ts';
import { ManualTimers } from '../timers.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import {
  addSignatures,
  parseTransaction,
  getTransactionSignature,
} from '../../solana/messages/transaction.ts';
import { Reservations } from '../../rfq/books/reservations.ts';
import type { CoSignResult } from '../../rfq/fills/prospects/co-signing.ts';
import { FillLog } from '../../rfq/fills/fill-log.ts';
import { Settlement } from '../../rfq/fills/settlement.ts';
import { MAKER, MAKER_ID, createTakerSignedFill, ANSWER, createFillOrder } from './signed-fill.ts';

const stranger = createMaker('stranger');
export const DEPTH = 10n;

export const SETTLED_SWAPS = Array.from({ length: 12 }, (_, number) => createTakerSignedFill(number));

export interface SettlementWorld {
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
  /** Of the maker that is registered now. */
  wallet: Address;
}

export function openSettlement(records = new MemoryRecords()): SettlementWorld {
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
    findWallet: () => world.wallet,
    chainTime: () => 0n,
    onDefect: () => undefined,
    noteLastLook: (_, milliseconds) => world.looks.push(milliseconds),
  });
  const world: SettlementWorld = {
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
    wallet: MAKER.address,
  };
  makers.lastLook = settlement;
  makers.stream(MAKER, { base: SOL, quote: USDC }, [], [{ price: 1n, volume: DEPTH }]);
  makers.connect(MAKER_ID, silent);
  return world;
}

export type SettlementStep =
  | { readonly kind: 'execute' | 'disconnect' | 'connect' | 'disk fails' | 'disk works' }
  | { readonly kind: 'sign' | 'forge' | 'tamper' | 'foreign' | 'land' | 'fail'; readonly which: number }
  | { readonly kind: 'wait'; readonly ms: number };

export async function takeStep(world: SettlementWorld, step: SettlementStep): Promise<void> {
  const { makers, settlement, timers, asked } = world;
  if (step.kind === 'execute') return executeNext(world);
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
    makers.submit(
      MAKER_ID,
      swapUuid,
      base64(addSignatures(parseTransaction(createTakerSignedFill(99)), [MAKER])),
    );
  }
  if (step.kind !== 'land' && step.kind !== 'fail') return;
  const answer = world.answers.get(swapUuid);
  if (answer !== undefined && answer.refused === undefined) {
    await settlement.landed(swapUuid, step.kind === 'land' ? 'landed' : 'lost', ANSWER);
  }
}

export async function executeNext({ settlement, answers, asked }: SettlementWorld): Promise<void> {
  const number = asked.length;
  const wire = SETTLED_SWAPS[number];
  if (wire === undefined) return;
  const swapUuid = `swap ${number}`;
  asked.push(swapUuid);
  const signature = getTransactionSignature(parseTransaction(wire));
  const answer = settlement.coSign({
    order: createFillOrder(`request ${number}`),
    wire,
    signature,
  });
  answer.then(async (found) => {
    expect(answers.has(swapUuid)).toBe(false);
    answers.set(swapUuid, found);
    if (found.refused !== undefined && found.swapUuid !== null) await settlement.refused(swapUuid, ANSWER);
  });
  await yieldToOtherWork();
}
