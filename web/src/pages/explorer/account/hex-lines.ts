const LINE = 16;
const PRINTABLE = /[^\x20-\x7e]/g;

/**
 * Formats bytes in lines of sixteen: the offset, the bytes in hexadecimal, and the letters that they are in ASCII.
 *
 * @example
 * ```ts
 * formatHexLines(Uint8Array.of(72, 105, 0)); // '0000  48 69 00' and spaces, then 'Hi.'
 * ```
 */
export function formatHexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; from += LINE) {
    const part = [...bytes.subarray(from, from + LINE)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const letters = String.fromCharCode(...part).replaceAll(PRINTABLE, '.');
    lines.push(`${from.toString(16).padStart(4, '0')}  ${hex.padEnd(3 * LINE - 1)}  ${letters}`);
  }
  return lines.join('\n');
}
