import type { Config } from '../../config/config.ts';
import type { LoadedSettings } from '../../config/load.ts';
import type { SettingName } from '../../config/settings/settings.ts';
import { type InstanceUrls, readInstanceUrls } from '../../data-folder/instance-file.ts';
import { toReachableHost } from '../../gateway/http/listen.ts';

/** The addresses that a command may use, each with the setting of its host. */
const PLACES = [
  { host: 'admin-host', port: 'admin-port', url: 'admin' },
  { host: 'host', port: 'rpc-port', url: 'rpc' },
  { host: 'host', port: 'rest-port', url: 'rest' },
] as const satisfies { host: SettingName; port: SettingName; url: keyof InstanceUrls }[];

/**
 * Points a command at the instance that runs on the data folder, wherever its ports are. A host or port that was given
 * takes precedence; port 0 only says that the instance chose one.
 *
 * @param config - The configuration of any command but `start`.
 */
export function pointAtInstance(config: Config, { settings, sources }: LoadedSettings): Config {
  const urls = readInstanceUrls(config.dataDir);
  if (urls === null) return config;
  const found = PLACES.filter(
    ({ host, port }) => sources[host] === 'default' && (sources[port] === 'default' || settings[port] === 0),
  );
  const foundPort = (name: keyof InstanceUrls, given: number) => {
    const url = given === 0 || found.some((place) => place.url === name) ? urls[name] : null;
    return url === null ? given : portOf(url);
  };
  const resolveInstanceHost = (name: keyof InstanceUrls, given: string) => {
    const url = found.some((place) => place.url === name) ? urls[name] : null;
    return url === null ? given : new URL(url).hostname.replace(/^\[|\]$/g, '');
  };
  return {
    ...config,
    adminHost: resolveInstanceHost('admin', config.adminHost),
    adminPort: foundPort('admin', config.adminPort),
    host: resolveInstanceHost('rest', config.host),
    rpcPort: foundPort('rpc', config.rpcPort),
    restPort: foundPort('rest', config.restPort),
  };
}

/** Returns the port of a URL, also when it is the default port of its scheme. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/**
 * Returns the URL of a port of an instance. The file of the instance tells whether it has a certificate, unless the settings
 * name another port.
 *
 * @param written - The URL of that port in the instance's file; undefined when there is no file.
 * @param certificateFile - The certificate that the settings name for the port.
 * @returns The URL without a path.
 */
export function resolveInstanceUrl(
  written: string | undefined,
  certificateFile: string | null,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  if (written !== undefined && portOf(written) === port) return written;
  return `${certificateFile === null ? 'http' : 'https'}://${toReachableHost(host)}:${port}`;
}
