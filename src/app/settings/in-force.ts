import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Settings, SettingName } from '../../config/settings/settings.ts';
import { SECRET_TEXT_FILES } from '../../data-folder/secret-files.ts';

/** What an instance knows of itself that its settings do not say. */
export interface InForceFacts {
  /** Path of the data folder. */
  readonly folder: string;
  /** Where its ports listen. Null before they do, or when there is no such port. */
  readonly urls: Readonly<
    Record<'rest' | 'admin' | 'grpc' | 'landing' | 'metrics' | 'rpc' | 'ws', string | null>
  >;
  /** Whether it has the master key of vaults. */
  readonly hasMasterKey: boolean;
}

/** Returns what holds in this process where the value of a setting does not say it, in words. */
export function listInForce(
  settings: Settings,
  config: Config,
  { folder, urls, hasMasterKey }: InForceFacts,
): ReadonlyMap<SettingName, string> {
  const found = new Map<SettingName, string>();
  const say = (name: SettingName, text: string | null, when: boolean) => {
    if (when && text !== null) found.set(name, text);
  };
  const generated = (file: string) => `generated, and kept in ${join(folder, file)}`;
  say('data-dir', config.ephemeral ? `${folder}, which is removed at the end` : folder, true);
  for (const [name, url] of [
    ['rest-port', urls.rest],
    ['admin-port', urls.admin],
    ['grpc-port', urls.grpc],
    ['rpc-port', urls.rpc],
    ['ws-port', urls.ws],
  ] as const) {
    say(name, url === null ? null : new URL(url).port, settings[name] === 0);
  }
  say('landing-address', urls.landing, settings['landing-address'] !== '');
  say('metrics-address', urls.metrics, settings['metrics-address'] !== '');
  say('admin-credential', generated(SECRET_TEXT_FILES.operatorCredential), config.adminCredential === null);
  say('key-secret', generated(SECRET_TEXT_FILES.keySecret), config.keySecret === null);
  say(
    'custody-key-file',
    generated(SECRET_TEXT_FILES.custodyKey),
    config.custody.key === null && hasMasterKey,
  );
  say(
    'keyless-local-limit',
    `${config.keylessLocalLimit}, as keyless-limit`,
    config.keylessLocalLimit !== settings['keyless-local-limit'],
  );
  const isAlone = config.outside === null && !config.production;
  const own = isAlone ? 'the sponsor of the embedded network' : null;
  say('sponsor-keypair', own ?? 'every taker pays', config.sponsor.keypair === 'own');
  say('gas-keypair', own ?? 'orders that wait are not filled', config.gas.keypair === 'own');
  say('sponsor-fee-mint', config.sponsor.feeMints.join(', '), settings['sponsor-fee-mint'].length === 0);
  say('liquidator', 'it does not run, because of production or rpc-url', config.liquidator && !isAlone);
  say('rpc-ws-url', 'from rpc-url', config.outside !== null && settings['rpc-ws-url'] === '');
  return found;
}
