import type { FastifyBaseLogger } from 'fastify';
import pino, { type DestinationStream } from 'pino';

const SECRET_HEADERS = ['x-api-key', 'authorization', 'cookie', 'set-cookie', 'x-sluice-session'];

/** Creates a logger that writes JSON lines. Headers that carry secrets are always redacted. */
export function createLogger(level: string, destination: DestinationStream): FastifyBaseLogger {
  const paths = ['', 'req.', 'request.', 'raw.'].flatMap((parent) =>
    SECRET_HEADERS.map((header) => `${parent}headers["${header}"]`),
  );
  return pino({ level, redact: { paths, censor: '[redacted]' } }, destination);
}
