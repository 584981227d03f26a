import { IMAGE_TYPES, type ImageType, MAX_MEDIA_BYTES } from './media.ts';

/** How many of its first bytes tell the type of an image. */
export const IMAGE_HEAD_BYTES = 12;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const GIFS = ['GIF87a', 'GIF89a'].map(toBytes);
const RIFF = toBytes('RIFF');
const WEBP = toBytes('WEBP');
const WEBP_AT = 8;

/**
 * Returns the type of an image by its first bytes; null if it is none that is stored. What follows them is not looked at: files
 * are served so that no browser takes them for anything but an image.
 */
export function findImageType(bytes: Uint8Array): ImageType | null {
  if (startsWith(bytes, PNG)) return 'image/png';
  if (startsWith(bytes, JPEG)) return 'image/jpeg';
  if (GIFS.some((gif) => startsWith(bytes, gif))) return 'image/gif';
  return startsWith(bytes, RIFF) && startsWith(bytes.subarray(WEBP_AT), WEBP) ? 'image/webp' : null;
}

/** Returns what is wrong with the header image of a page, as the end of a sentence; null if nothing is. */
export function findHeaderFault(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_MEDIA_BYTES.header)
    return `must have at most ${MAX_MEDIA_BYTES.header} bytes, got ${bytes.length}`;
  return findImageType(bytes) === null ? `must be an image of the type ${IMAGE_TYPES.join(', ')}` : null;
}

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}

function toBytes(text: string): readonly number[] {
  return [...Buffer.from(text, 'latin1')];
}
