import { randomBytes } from 'node:crypto';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { keepDemoApiKey } from '../data-folder/demo-files.ts';
import { keepKeySecret } from '../data-folder/key-secret.ts';
import { newApiKey } from '../platform/credentials/api-key.ts';
import { openPlatform } from '../platform/index.ts';
import type { PlatformDependencies } from '../platform/dependencies.ts';
import { openLog } from '../platform/traffic/open.ts';
import { every } from '../common/ports/timers.ts';
import { openStore, type Store } from '../store/index.ts';
import type { LogDatabase } from '../store/log/log-database.ts';
import { openShared } from '../store/shared/index.ts';
import type { Valkey } from '../store/shared/valkey.ts';
import type { StartContext } from './opening.ts';
import { productNames } from './products.ts';

/** What outlives the process, and the platform that stands on it. */
export interface State {
  /** The data folder's path. */
  readonly folder: string;
  readonly store: Store;
  /** Of the request log. */
  readonly logDatabase: LogDatabase;
  /** Null where this is the only instance. */
  readonly valkey: Valkey | null;
  readonly platform: PlatformDependencies;
  /** Null with production. */
  readonly demoKey: { readonly key: string; readonly path: string } | null;
}

/** @throws OperatorError when the folder or a server cannot be used */
export async function openState({ config, logger, toClose }: StartContext): Promise<State> {
  const folder = await openDataFolder(config.dataDir, config.ephemeral, (reason) => logger.warn(reason));
  toClose(folder.close);
  const demoKey = config.production ? null : keepDemoApiKey(folder.path, () => newApiKey(config.keyPrefix));
  const store = await openStore({ url: config.databaseUrl, folder: folder.path });
  toClose(() => store.close());
  const logDatabase = await openLog({ url: config.databaseUrl, folder: folder.path }, Date.now());
  toClose(() => logDatabase.close());
  const keySecret = config.keySecret ?? keepKeySecret(folder.path, newKeySecret);
  const valkey = await openShared({
    url: config.valkeyUrl,
    secret: keySecret,
    random: Math.random,
    production: config.production,
    onEvicting: (problem) => logger.warn(problem),
    onChange: (lost) =>
      lost === null ? logger.info('Valkey answers again') : logger.error({ reason: lost }, 'Valkey is lost'),
  });
  toClose(() => valkey?.close());
  const platform = await openPlatform({
    store,
    keySecret,
    keyPrefix: config.keyPrefix,
    products: productNames(),
    memberTokenMs: config.memberTokenMs,
    demoKey: demoKey?.key ?? null,
    now: Date.now,
    every,
    onDefect: (error) => logger.error({ err: error }, 'the database does not answer; keys are as they were'),
  });
  toClose(() => platform.close());
  return { folder: folder.path, store, logDatabase, valkey, platform: platform.parts, demoKey };
}

const KEY_SECRET_BYTES = 32;
const newKeySecret = () => randomBytes(KEY_SECRET_BYTES).toString('hex');
