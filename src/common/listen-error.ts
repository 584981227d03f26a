import { OperatorError } from './operator-error.ts';

/** The address of a server. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** The configuration key of the port. */
  readonly setting: string;
}

/** Converts the error of a port that cannot be opened to an `OperatorError`. Returns any other error unchanged. */
export function toListenError(error: unknown, { host, port, setting }: ListenOptions): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const where = `${setting} ${port} on ${host}`;
  const remedy = `choose another with --${setting}`;
  if (code === 'EADDRINUSE') {
    return new OperatorError(`${where} is in use, perhaps by another instance; stop that, or ${remedy}`);
  }
  if (code === 'EACCES') return new OperatorError(`${where} may not be used by this user; ${remedy}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new OperatorError(
      `${where} cannot be used: this machine has no such address; choose another with --${getHostSetting(setting)}`,
    );
  }
  return error;
}

/** Returns the setting that contains the host of a port. */
function getHostSetting(setting: string): string {
  if (setting === 'admin-port') return 'admin-host';
  if (setting === 'grpc-port') return 'grpc-host';
  return setting.endsWith('-address') ? setting : 'host';
}
