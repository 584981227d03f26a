import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Unavailable } from '../../common/unavailable.ts';
import { onRequestFinished } from '../pipeline/in-flight-requests.ts';
import { actorOf } from './access.ts';

/** Long enough for a large folder over a slow line. */
const TIMEOUT_MS = 60 * 60 * 1_000;

/** The data folder as one archive, while the instance runs. One at a time. */
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
        // A client that has gone takes nothing more, and one that never began to may not keep others waiting.
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
