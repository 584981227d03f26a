import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Reads a file whose name or content somebody else may have changed since it was read last. Neither a pipe nor a device can make
 * it wait, because nothing but a regular file is read, and the file may not be larger than the bound, even if it grows meanwhile.
 *
 * @param maxBytes - The largest size that is read.
 * @throws Error that says why it cannot be read, as the end of a sentence that begins with the file.
 */
export async function readBoundedFile(path: string, maxBytes: number): Promise<Buffer> {
  // Without O_NONBLOCK, opening a pipe waits for somebody who writes to it.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw new Error('it is no regular file');
    if (status.size > maxBytes)
      throw new Error(`it has ${status.size} bytes, but may have at most ${maxBytes}`);
    return await readUpTo(handle, maxBytes);
  } finally {
    await handle.close();
  }
}

async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(maxBytes, (await handle.stat()).size) + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
  throw new Error('it changes while it is read');
}
