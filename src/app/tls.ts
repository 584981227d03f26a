import type { FastifyBaseLogger } from 'fastify';
import type { TlsFiles, TlsOptions } from '../gateway/http/tls.ts';
import { every } from '../common/ports/timers.ts';

/** How a port speaks TLS by these files; null: it does not. */
export function tlsOf(files: TlsFiles | null, logger: FastifyBaseLogger): TlsOptions | null {
  if (files === null) return null;
  const onDefect = (error: unknown) =>
    logger.error({ err: error }, 'the new certificate cannot be used; the one before stays');
  return { files, every, onDefect };
}
