import type { Config } from '../../config/config.ts';
import { describeEviction, WITHOUT_REPLICAS } from '../../store/shared/index.ts';
import { openValkey } from '../../store/shared/valkey.ts';
import { readPostgresFacts } from '../../store/postgres/postgres-facts.ts';
import { type DoctorCheck, fault, type DoctorFinding, ok, runWithRemedy, warning } from './check.ts';

/** Called with the time of a server when an answer with it arrived. The time of a block is inexact. */
export type NoteServerTime = (server: string, milliseconds: number, isOfBlock?: boolean) => void;

/** The oldest version of Valkey and Redis that has every command. */
const OLDEST_VALKEY = [6, 2] as const;
/** The connections of an instance, and those that it has while it starts. */
const CONNECTIONS = 13;

const POSTGRES_REMEDY =
  'see that PostgreSQL runs, and that host, user, password and database of database-url are right';
const VALKEY_REMEDY = 'see that Valkey runs, and that host, user and password of valkey-url are right';

/**
 * Checks PostgreSQL and Valkey.
 *
 * @param schemaVersion - The newest version of the schema that this program knows.
 */
export function listServerChecks(
  { databaseUrl, valkeyUrl, valkeySentinels, production, keySecret }: Config,
  schemaVersion: number,
  noteTime: NoteServerTime,
): readonly DoctorCheck[] {
  return [
    ...(databaseUrl === null
      ? []
      : [
          {
            name: 'database-url',
            run: () =>
              runWithRemedy(() => checkPostgres(databaseUrl, schemaVersion, noteTime), POSTGRES_REMEDY),
          },
        ]),
    ...(valkeyUrl === null
      ? []
      : [
          {
            name: 'valkey-url',
            run: () =>
              runWithRemedy(
                () => checkValkey({ url: valkeyUrl, sentinels: valkeySentinels }, production, noteTime),
                VALKEY_REMEDY,
              ),
          },
        ]),
    ...(databaseUrl === null && valkeyUrl === null
      ? []
      : [{ name: 'key-secret', run: () => checkKeySecret(keySecret, databaseUrl, valkeyUrl) }]),
  ];
}

async function checkPostgres(url: string, known: number, noteTime: NoteServerTime): Promise<DoctorFinding> {
  const { version, schemaVersion, maxConnections, connections, now } = await readPostgresFacts(url);
  noteTime('PostgreSQL', now);
  if (schemaVersion > known) {
    return fault(
      `its schema has version ${schemaVersion}, and this program knows versions up to ${known}; run a newer Sluice`,
    );
  }
  if (maxConnections - connections < CONNECTIONS) {
    return warning(
      `${connections} of ${maxConnections} connections are open, and an instance needs up to ${CONNECTIONS} while it starts; raise max_connections to 20 for each instance`,
    );
  }
  const schema =
    schemaVersion === known ? `schema ${known}` : `schema ${schemaVersion}, which a start brings to ${known}`;
  return ok(
    `PostgreSQL ${version}, can be written, ${schema}, ${connections} of ${maxConnections} connections open`,
  );
}

async function checkValkey(
  place: { readonly url: string; readonly sentinels: readonly string[] },
  production: boolean,
  noteTime: NoteServerTime,
): Promise<DoctorFinding> {
  const valkey = await openValkey({
    ...place,
    namespace: 'sluice:doctor',
    random: Math.random,
    onChange: () => undefined,
  });
  try {
    const { version, now } = await valkey.readServer();
    noteTime('Valkey', now);
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const [leastMajor, leastMinor] = OLDEST_VALKEY;
    if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
      return fault(`it has version ${version}; Sluice needs ${OLDEST_VALKEY.join('.')} or newer`);
    }
    const problem = await valkey.unhealthy();
    if (problem !== null)
      return fault(`${problem}; it must be a master with free memory, and its user may run every command`);
    const policy = await valkey.evictionPolicy();
    if (policy !== null) return (production ? fault : warning)(describeEviction(policy));
    if (place.sentinels.length > 0 && !(await valkey.needsReplicas())) return warning(WITHOUT_REPLICAS);
    const named = place.sentinels.length === 0 ? '' : `, named by ${place.sentinels.length} sentinels`;
    return ok(`version ${version}, can be written${named}`);
  } finally {
    valkey.close();
  }
}

/** Instances that share a server share the secret, and each would generate one of its own. */
function checkKeySecret(
  secret: string | null,
  databaseUrl: string | null,
  valkeyUrl: string | null,
): DoctorFinding {
  if (secret !== null) return ok('it is given');
  const shared = [
    databaseUrl === null ? [] : ['database-url'],
    valkeyUrl === null ? [] : ['valkey-url'],
  ].flat();
  return warning(
    `it is not given, so this instance uses that of its data folder; with ${shared.join(' and ')}, give every instance the same key-secret`,
  );
}
