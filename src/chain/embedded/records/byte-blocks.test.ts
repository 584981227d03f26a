import { expect, it } from 'vitest';
import { ByteBlocks } from './byte-blocks.ts';

it('ByteBlocks keeps copies of byte arrays in one block', () => {
  const blocks = new ByteBlocks();
  const piece = Uint8Array.of(1, 2, 3);
  const [first, second] = [blocks.keep(piece), blocks.keep(Uint8Array.of(4))];
  piece.fill(9);
  expect([...first]).toEqual([1, 2, 3]);
  expect([...second]).toEqual([4]);
  expect(second.buffer).toBe(first.buffer);
});

it('ByteBlocks starts another block when one is full, and gives large arrays their own memory', () => {
  const blocks = new ByteBlocks();
  const pieces = Array.from({ length: 100 }, (_, i) => blocks.keep(new Uint8Array(1_000).fill(i)));
  expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(2);
  pieces.forEach((piece, i) => {
    expect(piece.every((byte) => byte === i)).toBe(true);
  });
  expect(blocks.keep(new Uint8Array(10_000)).buffer.byteLength).toBe(10_000);
});
