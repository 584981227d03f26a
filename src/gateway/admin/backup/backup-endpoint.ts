import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Unavailable } from '../../../common/unavailable.ts';
import { onRequestFinished } from '../../pipeline/in-flight-requests.ts';
import { actorOf } from '../access/access.ts';

/** Long enough to send a large folder over a slow connection. */
const TIMEOUT_MS = 60 * 60 * 1_000;

/** Registers the backup of the data folder: one archive, made while the instance runs. One backup runs at a time. */
export function registerBackup(app: FastifyInstance, openBackup: () => Promise<Readable>): void {
  let busy = false;
  app.post(
    '/admin/v1/backup',
    {
      handlerTimeout: TIMEOUT_MS,
      schema: {
        tags: ['instance'],
        summary: 'A consistent copy of the data folder, as a gzipped tar; it holds its secrets',
      },
    },
    async (request, reply) => {
      if (busy) throw new Unavailable('A backup is being made already; try again when it is done');
      busy = true;
      try {
        const archive = await openBackup();
        archive.once('close', () => {
          busy = false;
        });
        // The backup also ends when its client leaves, so that it does not block the next one.
        onRequestFinished(request, reply, () => archive.destroy());
        const { who, from } = actorOf(request);
        request.log.info({ who, from }, 'a backup is made');
        return reply.type('application/gzip').send(archive);
      } catch (error) {
        busy = false;
        throw error;
      }
    },
  );
}
