import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { RepeatEvery } from '../../../common/ports/timers.ts';
import { isStillLetIn } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { actorOf } from './access.ts';

/** Longer than the live log takes to end with a sentence. */
const CHECK_MS = 20_000;

/**
 * Cuts off an answer that is sent for long, such as a backup, when its reader has signed out meanwhile, or has lost the role or
 * the token with which the request was authenticated.
 */
export function endStreamsOfOthers(
  app: FastifyInstance,
  platform: Pick<PlatformDependencies, 'store' | 'now'>,
  every: RepeatEvery,
): void {
  app.addHook('onSend', async (request, _reply, payload: unknown) => {
    const actor = actorOf(request);
    if (!(payload instanceof Readable) || (actor.letIn === undefined && actor.session === undefined)) return;
    // The client has left already, so that no `close` would come any more.
    if (payload.destroyed) return;
    const stop = every(CHECK_MS, () => {
      isStillLetIn(platform.store.db, actor, platform.now()).then(
        (isLetIn) => isLetIn || payload.destroy(),
        // The database does not answer; the next check may find out.
        () => undefined,
      );
    });
    payload.once('close', stop);
  });
}
