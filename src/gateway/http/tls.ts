import { readFileSync } from 'node:fs';
import type { Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { OperatorError } from '../../common/operator-error.ts';
import { repeatEvery } from '../../common/ports/timers.ts';

/** Paths of PEM files. */
export interface TlsFiles {
  /** The certificate with its chain. */
  readonly certificate: string;
  readonly key: string;
}

export interface TlsOptions {
  readonly files: TlsFiles;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Called when changed certificate files cannot be used; the previous certificate stays in use. */
  readonly onDefect: (error: unknown) => void;
}

/** How often the certificate files are checked for changes. */
const RELOAD_MS = 5_000;
/** How long a client may take for its TLS handshake. */
const HANDSHAKE_MS = 10_000;

/** The options of every TLS server here, except its certificate. */
export const HANDSHAKE = { handshakeTimeout: HANDSHAKE_MS, minVersion: 'TLSv1.2' } as const;

/**
 * @param files - PEM files, which are read again when they change; null: the port speaks no TLS.
 * @returns the TLS options of a port; null for plaintext
 */
export function createTlsOptions(files: TlsFiles | null, logger: FastifyBaseLogger): TlsOptions | null {
  if (files === null) return null;
  const onDefect = (error: unknown) =>
    logger.error({ err: error }, 'the new certificate cannot be used; the old one stays in use');
  return { files, every: repeatEvery, onDefect };
}

/**
 * Opens a TLS server that switches to a new certificate when its files change, without a restart.
 * @param open - Creates the server with a certificate and its key, in PEM.
 * @returns the server, and a function that stops watching the files
 * @throws OperatorError if the files cannot be used
 */
export function openTls<S extends Pick<TlsServer, 'setSecureContext'>>(
  { files, every, onDefect }: TlsOptions,
  open: (certificate: { readonly cert: string; readonly key: string }) => S,
): { readonly server: S; readonly stopReloading: () => void } {
  let current = readTls(files);
  const server = openWith(files, () => open(current));
  const stopReloading = every(RELOAD_MS, () => {
    try {
      const next = readTls(files);
      if (next.cert === current.cert && next.key === current.key) return;
      // The two files are not replaced at the same time. If they do not match yet, they are tried again at the next check.
      server.setSecureContext(next);
      current = next;
    } catch (error) {
      onDefect(error);
    }
  });
  return { server, stopReloading };
}

function readTls({ certificate, key }: TlsFiles) {
  return { cert: readPem('certificate', certificate), key: readPem('key', key) };
}

function readPem(what: 'certificate' | 'key', file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `the TLS ${what} ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function openWith<S>({ certificate, key }: TlsFiles, open: () => S): S {
  try {
    return open();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${certificate} and ${key} cannot be used as certificate and key: ${reason}`);
  }
}
