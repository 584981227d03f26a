import { Type } from 'typebox';
import { isUrlWithProtocol, toTextOrNull, whole } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

const DAY_MS = 86_400_000;

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
      accepts: (url) => url === '' || isUrlWithProtocol(url, ['valkey:', 'valkeys:', 'redis:', 'rediss:']),
      secret: true,
      alias: 'VALKEY_URL',
      convert: toTextOrNull,
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
