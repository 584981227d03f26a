import type { Readable } from 'node:stream';
import { Unavailable } from '../../../common/unavailable.ts';
import { defineAdminEndpoint, StreamedAnswer } from '../endpoint/admin-endpoint.ts';

/** Long enough to send a large folder over a slow connection. */
const TIMEOUT_MS = 60 * 60 * 1_000;

/** Begins backups of the data folder, one at a time. */
export class Backups {
  readonly #open: () => Promise<Readable>;
  #busy = false;

  /** @param open - Begins a backup; its archive is closed when it ends. */
  constructor(open: () => Promise<Readable>) {
    this.#open = open;
  }

  /** @throws Unavailable while a backup is made */
  async begin(): Promise<Readable> {
    if (this.#busy) throw new Unavailable('A backup is being made already; try again when it is done');
    this.#busy = true;
    try {
      const archive = await this.#open();
      archive.once('close', () => {
        this.#busy = false;
      });
      return archive;
    } catch (error) {
      this.#busy = false;
      throw error;
    }
  }
}

/** The backup of the data folder: one archive, made while the instance runs. */
export const BACKUP_ENDPOINT = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/backup',
  timeoutMs: TIMEOUT_MS,
  summary: 'A consistent copy of the data folder, as a gzipped tar; it holds its secrets',
  responses: {},
  handle: async (backups: Backups, { actor: { who, from }, log }) => {
    const archive = await backups.begin();
    log.info({ who, from }, 'a backup is made');
    // The backup also ends when its client leaves, so that it does not block the next one.
    return new StreamedAnswer('application/gzip', archive, () => archive.destroy());
  },
});
