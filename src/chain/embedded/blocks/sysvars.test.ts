import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../../solana/encoding/base58.ts';
import { Blocks, createGenesisChain, SLOT_HASHES, SLOTS_PER_EPOCH } from './blocks.ts';
import { createSvm, writeAccount } from '../ledger/svm.ts';
import { encodeGenesisSlotHistory, SlotHistory, encodeSlotSysvars } from './sysvars.ts';

describe('the sysvars of a slot', () => {
  it('are read correctly by the runtime', () => {
    const chain = createChainWithBlocks(600, 2n);
    const svm = readBack(chain);
    const clock = svm.getClock();
    expect([clock.slot, clock.epoch, clock.leaderScheduleEpoch]).toEqual([1801n, 0n, 1n]);
    expect([clock.unixTimestamp, clock.epochStartTimestamp]).toEqual([1_599n, 1_000n]);
    const hashes = svm.getSlotHashes().map(({ slot, hash }) => [slot, hash]);
    const newest = chain.blocks.newest(512).map(({ slot, hash }) => [slot, encodeBase58(hash)]);
    expect(hashes).toEqual(newest);
    expect(hashes).toHaveLength(512);
    expect(hashes[0]?.[0]).toBe(1798n);
    const history = svm.getSlotHistory();
    const [FUTURE, FOUND, NOT_FOUND] = [0, 2, 3];
    const checks = [0n, 1n, 2n, 3n, 4n, 1798n, 1799n].map((slot) => Number(history.check(slot)));
    expect(checks).toEqual([FOUND, FOUND, NOT_FOUND, NOT_FOUND, FOUND, FOUND, FUTURE]);
    expect(history.nextSlot).toBe(1799n);
  });

  it('follow the epochs', () => {
    const { blocks } = createChainWithBlocks(3, SLOTS_PER_EPOCH - 1n);
    expect(blocks.open).toEqual({
      slot: 3n * SLOTS_PER_EPOCH + 1n,
      height: 3n * SLOTS_PER_EPOCH + 1n,
      time: 1_002n,
      epochStart: 1_002n,
    });
  });
});

describe('SlotHistory', () => {
  it('drops slots that are more than 2^20 slots old', () => {
    const history = new SlotHistory(encodeGenesisSlotHistory());
    history.add(5n);
    history.add(5n + (1n << 20n));
    const svm = createSvm();
    const { blocks } = createChainWithBlocks(0);
    for (const { address, account } of encodeSlotSysvars({
      clock: blocks.open,
      blocks: [],
      history: history.data(),
    })) {
      writeAccount(svm, address, account);
    }
    expect(svm.getSlotHistory().newest()).toBe((1n << 20n) + 5n);
    expect(Number(svm.getSlotHistory().check(6n))).toBe(3);
    expect(() => new SlotHistory(new Uint8Array(5))).toThrow(/131097 bytes, got 5/);
  });
});

/** Returns a chain with `count` blocks after its first one, each `skipped` slots after the previous one. */
function createChainWithBlocks(count: number, skipped = 0n): { blocks: Blocks; history: SlotHistory } {
  const blocks = new Blocks(createGenesisChain('test', 1_000n));
  const history = new SlotHistory(encodeGenesisSlotHistory());
  for (let i = 0; i < count; i++) {
    const block = blocks.ended(1);
    blocks.advance(block, blocks.after(block, 1_000n + BigInt(i), skipped));
    history.add(block.slot);
  }
  return { blocks, history };
}

/** Reads sysvars like the runtime. */
function readBack({ blocks, history }: ReturnType<typeof createChainWithBlocks>) {
  const svm = createSvm();
  const source = { clock: blocks.open, blocks: blocks.newest(SLOT_HASHES), history: history.data() };
  for (const { address, account } of encodeSlotSysvars(source)) writeAccount(svm, address, account);
  return svm;
}
