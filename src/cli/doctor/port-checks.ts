import { sendJson, type PostLimits } from '../../common/bounded-post.ts';
import type { ListenOptions } from '../../common/listen-error.ts';
import { findPortProblem } from '../../common/refuse-taken-ports.ts';
import { parseBoundedJson } from '../../common/bounded-json.ts';
import { listChosenPorts } from '../../config/chosen-ports.ts';
import type { Config } from '../../config/config.ts';
import { type InstanceUrls, readInstanceUrls } from '../../data-folder/instance-file.ts';
import { findLockHolder } from '../../data-folder/lock.ts';
import { portOf } from '../admin-client/point-at-instance.ts';
import { sendPinned } from '../admin-client/pinned-request.ts';
import { type DoctorCheck, fault, type DoctorFinding, ok, warning } from './check.ts';

const LIMITS: PostLimits = { timeoutMs: 5_000, maxBytes: 64 * 1024 };

/** The URL of the instance's file that has the port of each setting. */
const URL_OF: Readonly<Record<string, keyof InstanceUrls>> = {
  'rest-port': 'rest',
  'admin-port': 'admin',
  'rpc-port': 'rpc',
  'ws-port': 'ws',
  'grpc-port': 'grpc',
  'landing-address': 'landing',
  'metrics-address': 'metrics',
};

/**
 * Checks the instance that runs on the data folder, and that the ports are free or used by that instance. A port that no
 * setting names is the one that the instance has.
 *
 * @param isDefault - Whether nobody has given the setting a value.
 */
export function listPortChecks(
  config: Config,
  isDefault: (setting: string) => boolean,
): readonly DoctorCheck[] {
  const urls = findRunningUrls(config);
  const own = urls === null ? [] : Object.values(urls).flatMap((url) => (url === null ? [] : portOf(url)));
  const used = (address: ListenOptions): ListenOptions => {
    const name = URL_OF[address.setting];
    const url = name === undefined || !isDefault(address.setting) ? null : (urls?.[name] ?? null);
    return url === null ? address : { ...address, port: portOf(url) };
  };
  return [
    ...(urls === null ? [] : [{ name: 'instance', run: () => checkReadiness(urls, config) }]),
    ...listChosenPorts(config)
      .map(used)
      .map((address) => ({ name: address.setting, run: () => checkPort(address, own) })),
  ];
}

/** Returns the URLs of the instance that runs; null when none does. The file of a killed one stays. */
function findRunningUrls({ dataDir, ephemeral }: Config): InstanceUrls | null {
  if (ephemeral) return null;
  try {
    return findLockHolder(dataDir) === null ? null : readInstanceUrls(dataDir);
  } catch {
    // The check of the data folder says what is wrong with it.
    return null;
  }
}

async function checkPort(address: ListenOptions, own: readonly number[]): Promise<DoctorFinding> {
  const place = `${address.host}:${address.port}`;
  if (own.includes(address.port)) return ok(`${place}, served by the instance that runs`);
  const problem = await findPortProblem(address);
  return problem === null ? ok(`${place} is free`) : fault(problem.message);
}

async function checkReadiness({ rest }: InstanceUrls, { transport }: Config): Promise<DoctorFinding> {
  const url = new URL('/readyz', rest);
  const { status, text } =
    url.protocol === 'https:' && transport.tls !== null
      ? await sendPinned(
          url,
          { method: 'GET', body: null, headers: {}, certificateFile: transport.tls.certificate },
          LIMITS,
        )
      : await sendJson(url, 'GET', null, LIMITS);
  const { parts = {} } = parseBoundedJson(text) as { readonly parts?: Readonly<Record<string, unknown>> };
  const down = Object.entries(parts).filter(([, state]) => state !== 'ok');
  const problems = down.map(([name, state]) => `${name}: ${String(state)}`).join('; ');
  if (status === 200)
    return down.length === 0 ? ok(`ready at ${rest}`) : warning(`ready at ${rest}, without ${problems}`);
  return fault(
    `not ready at ${rest}: ${problems || `HTTP ${status}`}; see SluicePartDown in docs/runbooks.md`,
  );
}
