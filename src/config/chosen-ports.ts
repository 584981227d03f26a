import type { ListenOptions } from '../common/listen-error.ts';
import type { Config } from './config.ts';

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
export function listChosenPorts(config: Ports): readonly ListenOptions[] {
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
