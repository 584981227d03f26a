import type { AccountFilter } from './chain.ts';

/** Whether account data has the size and the bytes that the filter asks for. */
export function passesFilter({ dataSize, memcmp: holds }: AccountFilter, data: Uint8Array): boolean {
  if (dataSize !== undefined && data.length !== dataSize) return false;
  if (holds === undefined) return true;
  const { offset, bytes } = holds;
  return data.length >= offset + bytes.length && bytes.every((byte, index) => data[offset + index] === byte);
}
