import type { FastifyInstance } from 'fastify';
import { REQUEST_ID_IN_LOG } from '../http/log/lazy-log.ts';
import { redactPath } from '../http/log/redact.ts';
import { parseSentPath } from '../../platform/firewall/requested-path.ts';
import { CLIENT_CLOSED_REQUEST } from './in-flight-requests.ts';

/** Paths that monitors request every few seconds. Their usual answers are only logged at `debug`. */
const PROBES: ReadonlySet<string> = new Set(['/metrics', '/healthz', '/readyz', '/health', '/status']);

/** Logs a line for every request when its answer is sent or its client has left. */
export function addAnswerLog(app: FastifyInstance): void {
  app.requestFinishedListeners.push((request, reply, status) => {
    const { id, method, url } = request;
    const line = { method, path: redactPath(parseSentPath(url)), status, ms: reply.elapsedTime };
    // The server's logger writes it, because a logger for the request would be created for this line alone.
    const message = status === CLIENT_CLOSED_REQUEST ? 'abandoned' : 'answered';
    const level = status === 200 && PROBES.has(request.routeOptions.url ?? '') ? 'debug' : 'info';
    app.log[level]({ [REQUEST_ID_IN_LOG]: id, ...line }, message);
  });
}
