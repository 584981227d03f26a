const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** How many words of 32 bits an id has. */
export const ID_WORDS = 4;

/**
 * Writes the 16 bytes of an order's id as words, the first byte in the highest bits, so that they sort as the text does.
 *
 * @throws TypeError if it is not a UUID in lowercase letters
 */
export function parseOrderId(id: string, into: Int32Array): void {
  if (!UUID.test(id)) throw new TypeError(`not the id of an order: ${JSON.stringify(id.slice(0, 64))}`);
  into[0] = Number.parseInt(id.slice(0, 8), 16);
  into[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
  into[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
  into[3] = Number.parseInt(id.slice(28, 36), 16);
}

/** Returns the id of an order as text. */
export function formatOrderId(words: Int32Array): string {
  const [one = 0, two = 0, three = 0, four = 0] = words;
  return `${word(one)}-${half(two >>> 16)}-${half(two)}-${half(three >>> 16)}-${half(three)}${word(four)}`;
}

function word(value: number): string {
  return half(value >>> 16) + half(value);
}

function half(value: number): string {
  return `${HEX[(value >>> 8) & 255]}${HEX[value & 255]}`;
}
