import { describe, expect, it } from 'vitest';
import type { AccountEntry } from '../records/account-codec.ts';
import { GENESIS } from '../../../testing/chain/bank.ts';
import { createGenesisChain } from '../blocks/blocks.ts';
import { FaultPlan, NO_FAULTS } from '../blocks/faults.ts';
import { NextFaults } from '../blocks/next-faults.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { BankEvent } from '../../records/records.ts';
import { type PipelineStorage, SlotPipeline } from './slot-pipeline.ts';
import type { LiveState } from './live-state.ts';
import { encodeGenesisSlotHistory } from '../blocks/sysvars.ts';

describe('SlotPipeline', () => {
  it('confirms a slot once it is durable, while later slots continue', async () => {
    const { storage, writes } = slowDisk();
    const { pipeline, live, events } = pipelineOn(storage);
    const first = pipeline.advance(0n, ignore);
    const second = pipeline.advance(0n, ignore);
    expect(live.ledger.blocks.slot('processed')).toBe(3n);
    expect(live.ledger.blocks.slot('confirmed')).toBe(0n);
    writes[0]?.resolve();
    await first;
    expect(live.ledger.blocks.slot('confirmed')).toBe(1n);
    writes[1]?.resolve();
    await second;
    expect(live.ledger.blocks.slot('confirmed')).toBe(2n);
    expect(events.map(({ kind }) => kind)).toEqual(['slot', 'slot', 'commitment', 'commitment']);
  });

  it('stops with the reason when the disk refuses', async () => {
    const { storage, writes } = slowDisk();
    const { pipeline, live } = pipelineOn(storage);
    const slot = pipeline.advance(0n, ignore);
    writes[0]?.reject(new Error('no space left'));
    await expect(slot).rejects.toThrow(/no space left/);
    expect(pipeline.unhealthy).toBe("the network's log cannot be written: no space left");
    await expect(pipeline.advance(0n, ignore)).rejects.toThrow(/cannot be written/);
    expect(live.ledger.blocks.slot('confirmed')).toBe(0n);
    expect(live.ledger.blocks.slot('processed')).toBe(2n);
  });

  it('continues when a snapshot cannot be written, and reports it', async () => {
    const failing: PipelineStorage = {
      snapshotDue: true,
      append: () => Promise.resolve(),
      snapshot: () => Promise.reject(new Error('read-only file system')),
      failure: null,
      retry: () => undefined,
    };
    const { pipeline, defects } = pipelineOn(failing);
    await pipeline.advance(0n, ignore);
    expect(pipeline.unhealthy).toBeNull();
    expect(defects).toEqual(["the network's snapshot: Error: read-only file system"]);
  });

  it('does not let more than 64 slots wait for the disk', async () => {
    const { storage, writes } = slowDisk();
    const { pipeline, live } = pipelineOn(storage);
    const slots = Array.from({ length: 64 }, () => pipeline.advance(0n, ignore));
    expect(pipeline.unhealthy).toMatch(/does not keep up: 64 slots wait/);
    await expect(pipeline.advance(0n, ignore)).rejects.toThrow(/does not keep up/);
    for (const write of writes) write.resolve();
    await Promise.all(slots);
    expect(pipeline.unhealthy).toBeNull();
    expect(live.ledger.blocks.slot('confirmed')).toBe(64n);
    expect(live.ledger.blocks.slot('finalized')).toBe(33n);
  });
});

function openLedger(): LiveState {
  const accounts = GENESIS.map(({ address, account }): AccountEntry => [address, account]);
  const state = {
    genesisSeed: 'test',
    chain: createGenesisChain('test', 1n),
    slotHistory: encodeGenesisSlotHistory(),
    clockOffset: 0n,
    accounts,
    statuses: [],
    transactions: [],
  };
  const ledger = new Ledger(state, 100);
  ledger.begin(1n);
  return { ledger, faults: new FaultPlan(NO_FAULTS), nextFaults: new NextFaults(), open: [] };
}

/** A disk whose writes complete when the test decides. */
function slowDisk() {
  const writes: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const storage: PipelineStorage = {
    snapshotDue: false,
    append: () => new Promise((resolve, reject) => writes.push({ resolve, reject })),
    snapshot: () => Promise.resolve(),
    failure: null,
    retry: () => undefined,
  };
  return { storage, writes };
}

function pipelineOn(storage: PipelineStorage) {
  const events: BankEvent[] = [];
  const live = openLedger();
  const defects: string[] = [];
  const pipeline = new SlotPipeline({
    live,
    storage,
    emit: (event) => events.push(event),
    unixSeconds: () => 5n,
    onDefect: (where, error) => defects.push(`${where}: ${error}`),
  });
  return { pipeline, live, events, defects };
}

const ignore = () => {};
