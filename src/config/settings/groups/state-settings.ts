import { Type } from 'typebox';
import type { SettingValues } from '../kinds/fields.ts';
import { isUrlWithProtocol, repeatable, toTextOrNull, whole } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

const DAY_MS = 86_400_000;

const VALKEY_PROTOCOLS = ['valkey:', 'valkeys:', 'redis:', 'rediss:'];

const ON_LOSS = ['fail-open', 'fail-closed'] as const;

/** Where an instance keeps its durable state, and what it shares with other instances. */
export const STATE_SETTINGS = {
  'database-url': setting(
    Type.String({
      default: '',
      description:
        'PostgreSQL database for organisations, keys, makers, fills, the audit log and the request log. Empty: files in `data-dir`.',
    }),
    {
      allowed: 'a postgres or postgresql URL',
      accepts: (url) => url === '' || isUrlWithProtocol(url, ['postgres:', 'postgresql:']),
      secret: true,
      alias: 'DATABASE_URL',
      convert: toTextOrNull,
    },
  ),
  'valkey-url': setting(
    Type.String({
      default: '',
      description:
        'Valkey or Redis server through which instances share rate limits, orders and makers. Empty: this is the only instance.',
    }),
    {
      allowed: 'a valkey, valkeys, redis or rediss URL',
      accepts: (url) => url === '' || isUrlWithProtocol(url, VALKEY_PROTOCOLS),
      secret: true,
      alias: 'VALKEY_URL',
      convert: toTextOrNull,
    },
  ),
  'valkey-sentinel': setting(
    repeatable(
      'Sentinel that knows which server is the master at the moment, as `valkey://[user:password@]host[:port]`. The host of `valkey-url` is then the name of the master. All sentinels have the same scheme, user and password.',
      10,
    ),
    {
      allowed: 'a valkey, valkeys, redis or rediss URL with a host and without a path',
      accepts: isSentinelUrl,
      secret: true,
      field: 'valkeySentinels',
    },
  ),
  limits: setting(
    Type.Union(
      ON_LOSS.map((choice) => Type.Literal(choice)),
      {
        default: 'fail-open',
        description:
          'What happens to rate limits while Valkey does not answer: each instance counts alone (`fail-open`), or requests that would be counted are refused with 503 (`fail-closed`).',
      },
    ),
    { allowed: `one of ${ON_LOSS.join(', ')}` },
  ),
  'key-secret': setting(
    Type.String({
      default: '',
      description:
        'Secret that API keys are hashed with, and keys of webhooks encrypted. It must be the same for every instance on one database. Empty: generated at the first start and kept in `data-dir`.',
    }),
    {
      allowed: '32 to 200 characters',
      accepts: (secret) => secret === '' || (secret.length >= 32 && secret.length <= 200),
      secret: true,
      convert: toTextOrNull,
    },
  ),
  'member-token-days': setField(
    'memberTokenMs',
    whole(
      90,
      0,
      3_660,
      "Longest lifetime, in days, of a member's token for the admin interface. 0: tokens do not expire.",
    ),
    (days) => (days === 0 ? null : days * DAY_MS),
  ),
};

type StateSettings = SettingValues<typeof STATE_SETTINGS>;

/** Returns the contradictions between these settings, one sentence each. */
export function findStateContradictions(
  settings: StateSettings,
  sources: Readonly<Record<string, string>>,
): string[] {
  const { 'valkey-sentinel': sentinels, 'valkey-url': url } = settings;
  const [first] = sentinels;
  if (first === undefined) return [];
  const given = `valkey-sentinel from ${sources['valkey-sentinel']}`;
  if (url === '') {
    return [
      `${given} is (a secret that is not shown), but must be given together with valkey-url, whose host is the name of the master: valkey://mymaster`,
    ];
  }
  const problems: string[] = [];
  const { hostname, port } = new URL(url);
  if (hostname === '' || port !== '') {
    problems.push(
      `valkey-url from ${sources['valkey-url']} has ${port === '' ? 'no host' : `the port ${port}`}, but with valkey-sentinel it must have the name of the master as its host, and no port: valkey://mymaster`,
    );
  }
  if (sentinels.some((one) => describeAccess(one) !== describeAccess(first))) {
    problems.push(
      `${given} names sentinels with different schemes, users or passwords, but all must have the same`,
    );
  }
  return problems;
}

function isSentinelUrl(text: string): boolean {
  if (!isUrlWithProtocol(text, VALKEY_PROTOCOLS)) return false;
  const { hostname, pathname, search, hash } = new URL(text);
  return hostname !== '' && ['', '/'].includes(pathname) && search === '' && hash === '';
}

/** Returns everything of a URL but the host. */
function describeAccess(url: string): string {
  const { protocol, username, password } = new URL(url);
  return JSON.stringify([protocol.replace('redis', 'valkey'), username, password]);
}
