import { UnreachableError } from '../../api/call.ts';
import type { BackupTarget } from './backup-target.ts';

/** How a backup ended here. */
export type ReceivedBackup =
  | { readonly kind: 'saved'; readonly bytes: number }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Every gzip file begins with these bytes. */
const GZIP = [0x1f, 0x8b] as const;

/**
 * Writes a backup to its target while it arrives. Unless all of it arrives, nothing of it stays.
 *
 * @param open - Begins the backup.
 * @param onBytes - Called with how many bytes have arrived.
 */
export async function receiveBackup(
  open: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>,
  target: BackupTarget,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<ReceivedBackup> {
  let bytes = 0;
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null = null;
  try {
    reader = (await open()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      if (bytes === 0 && !GZIP.every((byte, index) => value[index] === byte))
        throw new Error('What arrived is no backup.');
      await target.write(value);
      bytes += value.length;
      onBytes(bytes);
    }
    if (bytes === 0) throw new Error('What arrived is empty.');
    await target.finish();
    return { kind: 'saved', bytes };
  } catch (error) {
    await reader?.cancel().catch(() => undefined);
    await target.discard().catch(() => undefined);
    if (signal.aborted) return { kind: 'canceled' };
    // A browser says of a connection that broke no more than that it failed.
    return { kind: 'failed', error: error instanceof TypeError ? new UnreachableError() : error };
  }
}
