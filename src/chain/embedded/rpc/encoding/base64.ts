/** Encodes bytes as base64 without copying them. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decodes base64. Returns null unless `text` is padded and in the standard alphabet, like the public interface. */
export function decodeStrictBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return null;
  return Buffer.from(text, 'base64');
}
