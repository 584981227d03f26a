import type { FastifyInstance } from 'fastify';
import { REQUEST_ID_IN_LOG } from '../http/request-log.ts';
import { redactPath } from '../http/redact-path.ts';
import { CLIENT_CLOSED_REQUEST } from './in-flight-requests.ts';

/** Logs one line for every request, when its answer is out or its client has left. */
export function addAnswerLog(app: FastifyInstance): void {
  app.requestFinishedListeners.push((request, reply, status) => {
    const { id, method, url } = request;
    const line = { method, path: redactPath(url), status, ms: reply.elapsedTime };
    // The server's logger writes it: a logger for the request would be made for this line alone.
    const message = status === CLIENT_CLOSED_REQUEST ? 'abandoned' : 'answered';
    app.log.info({ [REQUEST_ID_IN_LOG]: id, ...line }, message);
  });
}
