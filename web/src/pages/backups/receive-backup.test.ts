import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/call.ts';
import { BackupTooLarge, createHeldTarget } from './backup-target.ts';
import { receiveBackup } from './receive-backup.ts';
import { nameBackup } from './use-backup.ts';

describe('receiveBackup', () => {
  it('saves what arrived, and says how much of it there is', async () => {
    const { target, saved } = createTarget();
    const shown: number[] = [];
    const received = await receiveBackup(
      async () => send(GZIP, [1, 2, 3]),
      target,
      signal(),
      (bytes) => shown.push(bytes),
    );
    expect(received).toEqual({ kind: 'saved', bytes: 5 });
    expect(shown).toEqual([2, 5]);
    expect(saved.map(({ size }) => size)).toEqual([5]);
  });

  it.each([
    ['what is no archive', () => send([0x3c, 0x68])],
    ['nothing', () => send()],
    ['an archive that breaks off', () => send(GZIP, new TypeError('network error'))],
    ['a refusal', () => Promise.reject(new ApiError(503, { message: 'A backup is being made already' }))],
  ])('saves nothing of %s', async (_what, open) => {
    const { target, saved } = createTarget();
    expect(
      await receiveBackup(
        async () => open(),
        target,
        signal(),
        () => {},
      ),
    ).toMatchObject({
      kind: 'failed',
    });
    expect(saved).toEqual([]);
  });

  it('saves nothing of one that is larger than a page may hold, and leaves it', async () => {
    const { target, saved } = createTarget(4);
    let isLeft = false;
    const stream = send(GZIP, [1, 2, 3]);
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: async (controller) => {
        for await (const chunk of stream) controller.enqueue(chunk);
      },
      cancel: () => {
        isLeft = true;
      },
    });
    const received = await receiveBackup(
      async () => body,
      target,
      signal(),
      () => {},
    );
    expect(received).toEqual({ kind: 'failed', error: expect.any(BackupTooLarge) });
    expect([saved, isLeft]).toEqual([[], true]);
  });

  it('saves nothing after it was canceled', async () => {
    const { target, saved } = createTarget();
    const controller = new AbortController();
    const received = await receiveBackup(
      async () => send(GZIP, [1]),
      target,
      controller.signal,
      () => controller.abort(),
    );
    expect([received, saved]).toEqual([{ kind: 'canceled' }, []]);
  });
});

it('a backup is named by its time, without characters that a file system refuses', () => {
  expect(nameBackup(new Date(Date.UTC(2026, 10, 30, 1, 2, 3)))).toBe('sluice-2026-11-30T01-02-03Z.tgz');
});

const GZIP = [0x1f, 0x8b];
const signal = () => new AbortController().signal;

function createTarget(maxBytes?: number) {
  const saved: Blob[] = [];
  return { target: createHeldTarget((content) => saved.push(content), maxBytes), saved };
}

/** A stream of these pieces, which fails with an error where one stands. */
function send(...pieces: readonly (readonly number[] | Error)[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = [...pieces];
  return new ReadableStream({
    pull: (controller) => {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else controller.enqueue(Uint8Array.from(piece));
    },
  });
}
