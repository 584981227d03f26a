import { describe, expect, it } from 'vitest';
import { formatHexLines } from './hex-lines.ts';

describe('formatHexLines', () => {
  it('has sixteen bytes in a line, with their offset and their letters', () => {
    const bytes = Uint8Array.from({ length: 18 }, (_, at) => 64 + at);
    expect(formatHexLines(bytes)).toBe(
      [
        '0000  40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f  @ABCDEFGHIJKLMNO',
        `0010  50 51${' '.repeat(42)}  PQ`,
      ].join('\n'),
    );
  });

  it('shows a point for what is no letter of ASCII, so that no text can turn the line', () => {
    expect(formatHexLines(Uint8Array.of(0, 27, 127, 200, 226, 128, 174)).endsWith('  .......')).toBe(true);
  });
});
