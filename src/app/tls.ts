import type { FastifyBaseLogger } from 'fastify';
import type { TlsFiles, TlsOptions } from '../gateway/http/tls.ts';
import { every } from '../common/ports/timers.ts';

/**
 * @param files - PEM files, which are read again when they change; null: the port speaks no TLS.
 * @returns the TLS options of a port; null for plaintext
 */
export function tlsOf(files: TlsFiles | null, logger: FastifyBaseLogger): TlsOptions | null {
  if (files === null) return null;
  const onDefect = (error: unknown) =>
    logger.error({ err: error }, 'the new certificate cannot be used; the old one stays in use');
  return { files, every, onDefect };
}
