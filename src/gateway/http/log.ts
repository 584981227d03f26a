import type { FastifyBaseLogger } from 'fastify';
import pino, { type DestinationStream } from 'pino';

const SECRET_HEADERS = ['x-api-key', 'authorization', 'cookie'];

/** JSON lines. Whatever is logged, headers that carry secrets are not shown. */
export function createLogger(level: string, destination: DestinationStream): FastifyBaseLogger {
  const paths = ['', 'req.', 'request.', 'raw.'].flatMap((parent) =>
    SECRET_HEADERS.map((header) => `${parent}headers["${header}"]`),
  );
  return pino({ level, redact: { paths, censor: '[redacted]' } }, destination);
}
