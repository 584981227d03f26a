import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { type ListenOptions, listenError } from '../../common/listen-error.ts';
import { OperatorError } from '../../common/operator-error.ts';

type Ports = Pick<
  Config,
  | 'host'
  | 'adminHost'
  | 'restPort'
  | 'adminPort'
  | 'rpcPort'
  | 'wsPort'
  | 'landingAddress'
  | 'metricsAddress'
  | 'outside'
> & { readonly makers: Pick<Config['makers'], 'host' | 'port'> };

/** Returns the addresses that an instance will listen on, without those for which the system chooses a port. */
export function chosenPorts(config: Ports): readonly ListenOptions[] {
  const { host, adminHost, landingAddress, metricsAddress, makers, outside } = config;
  return [
    { host, port: config.restPort, setting: 'rest-port' },
    { host: adminHost, port: config.adminPort, setting: 'admin-port' },
    ...(outside === null
      ? [
          { host, port: config.rpcPort, setting: 'rpc-port' },
          { host, port: config.wsPort, setting: 'ws-port' },
        ]
      : []),
    { host: makers.host, port: makers.port, setting: 'grpc-port' },
    ...(landingAddress === null ? [] : [{ ...landingAddress, setting: 'landing-address' }]),
    ...(metricsAddress === null ? [] : [{ ...metricsAddress, setting: 'metrics-address' }]),
  ].filter(({ port }) => port !== 0);
}

/**
 * Tries all ports before anything that takes long, so that the operator learns of all that are taken at once. One that is
 * taken afterwards is reported when its server opens it.
 *
 * @throws OperatorError with a line for each port that cannot be used
 */
export async function refuseTakenPorts(addresses: readonly ListenOptions[]): Promise<void> {
  const problems = await Promise.all(addresses.map(problemOf));
  const found = problems.filter((problem) => problem !== null);
  if (found.length > 0) throw new OperatorError(found.join('\n'));
}

/** Opens a port for a moment. An error that the server itself will explain is left to it. */
function problemOf(address: ListenOptions): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      const told = listenError(error, address);
      resolve(told instanceof OperatorError ? told.message : null);
    });
    server.listen({ host: address.host, port: address.port }, () => server.close(() => resolve(null)));
  });
}
