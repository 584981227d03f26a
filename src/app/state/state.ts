import { createHmac, randomBytes } from 'node:crypto';
import { openDataFolder } from '../../data-folder/data-folder.ts';
import { keepDemoApiKey } from '../../data-folder/demo-files.ts';
import { keepKeySecret } from '../../data-folder/key-secret.ts';
import { createApiKey } from '../../platform/credentials/api-key.ts';
import { openPlatform } from '../../platform/index.ts';
import { sealStoredWebhookKeys } from '../../rfq/records/webhook-keys.ts';
import type { PlatformDependencies } from '../../platform/dependencies.ts';
import { openLog } from '../../platform/traffic/open.ts';
import { repeatEvery } from '../../common/ports/timers.ts';
import { openStore, type Store } from '../../store/index.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import type { LogMigration } from '../../store/log/log-migrate.ts';
import type { Migration } from '../../store/schema/owned-tables.ts';
import { openShared } from '../../store/shared/index.ts';
import type { Valkey } from '../../store/shared/valkey.ts';
import type { StartContext } from './start-context.ts';
import { createOutageLog } from '../../common/outage-log.ts';

/** Everything that is durable or shared with other instances, and the platform on top of it. */
export interface AppState {
  /** Path of the data folder. */
  readonly folder: string;
  readonly store: Store;
  /** Database of the request log. */
  readonly logDatabase: LogDatabase;
  /** Null when this is the only instance. */
  readonly valkey: Valkey | null;
  readonly platform: PlatformDependencies;
  /** Derives a key of 32 bytes for one purpose, which all instances with the same `key-secret` share. */
  readonly deriveKey: (purpose: string) => Uint8Array;
  /** Null in production. */
  readonly demoKey: { readonly key: string; readonly path: string } | null;
}

/**
 * @param products - The names to which a key can be confined.
 * @param migrations - All migrations of the store and of the request log, oldest first.
 * @throws OperatorError when the folder or a server cannot be used
 */
export async function openState(
  { config, logger, toClose }: StartContext,
  products: readonly string[],
  migrations: { readonly store: readonly Migration[]; readonly log: readonly LogMigration[] },
): Promise<AppState> {
  const folder = await openDataFolder(config.dataDir, config.ephemeral, (reason) => logger.warn(reason));
  toClose(folder.close);
  const demoKey = config.production
    ? null
    : keepDemoApiKey(folder.path, () => createApiKey(config.keyPrefix));
  const onRetry = (reason: string) =>
    logger.warn({ reason }, 'the database did not answer a step of the start; trying again');
  const place = { url: config.databaseUrl, folder: folder.path };
  const store = await openStore({
    url: place.url,
    folder: place.folder,
    migrations: migrations.store,
    onRetry,
  });
  toClose(() => store.close());
  const logDatabase = await openLog(place, migrations.log, Date.now(), onRetry);
  toClose(() => logDatabase.close());
  const keySecret = config.keySecret ?? keepKeySecret(folder.path, newKeySecret);
  const valkey = await openShared({
    url: config.valkeyUrl,
    sentinels: config.valkeySentinels,
    secret: keySecret,
    random: Math.random,
    production: config.production,
    onUnsafe: (problem) => logger.warn(problem),
    onChange: (lost) =>
      lost === null
        ? logger.info('Valkey answers again')
        : logger.error({ reason: lost }, 'the connection to Valkey was lost'),
  });
  toClose(() => valkey?.close());
  const outage = createOutageLog(
    logger,
    'the database does not answer; the keys known so far stay in force',
    'the database answers again',
  );
  const platform = await openPlatform({
    store,
    keySecret,
    keyPrefix: config.keyPrefix,
    products,
    memberTokenMs: config.memberTokenMs,
    demoKey: demoKey?.key ?? null,
    now: Date.now,
    every: repeatEvery,
    whenSecretFits: (sealer) => sealStoredWebhookKeys(store, sealer),
    onRetry,
    onDefect: outage.onFailure,
    onAnswer: outage.onAnswer,
  });
  toClose(() => platform.close());
  const deriveKey = (purpose: string) => createHmac('sha256', keySecret).update(purpose).digest();
  return { folder: folder.path, store, logDatabase, valkey, platform: platform, deriveKey, demoKey };
}

const KEY_SECRET_BYTES = 32;
const newKeySecret = () => randomBytes(KEY_SECRET_BYTES).toString('hex');
