import { readFileSync } from 'node:fs';
import type { Server as TlsServer } from 'node:tls';
import { OperatorError } from '../../common/operator-error.ts';

export interface TlsFiles {
  /** Paths of PEM files: the certificate with its chain, and its key. */
  readonly certificate: string;
  readonly key: string;
}

export interface TlsOptions {
  readonly files: TlsFiles;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Told when changed certificate files cannot be used; the ones before stay in use. */
  readonly onDefect: (error: unknown) => void;
}

/** Certificate files are looked at this often. */
const RELOAD_MS = 5_000;
/** A client that has not finished its TLS handshake by then is gone. */
const HANDSHAKE_MS = 10_000;

/** What every TLS server here is opened with, besides its certificate. */
export const HANDSHAKE = { handshakeTimeout: HANDSHAKE_MS, minVersion: 'TLSv1.2' } as const;

/**
 * A server that goes over to a new certificate when its files change, without a restart.
 * @throws OperatorError when the files cannot be used
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
      // The two files are not replaced at once: what does not fit yet is tried again the next time.
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
