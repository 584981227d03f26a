import { Type } from 'typebox';
import { isUrlOf, whole } from './kinds.ts';
import { setting } from './setting.ts';

const ON_LOSS = ['fail-open', 'fail-closed'] as const;

/** Where an instance keeps what outlives it, and what it shares with others. */
export const STATE_SETTINGS = {
  'database-url': setting(
    Type.String({
      default: '',
      description:
        'PostgreSQL that organisations, keys, makers, swaps with makers, the audit log and the request log are kept in. Empty: files in `data-dir`.',
    }),
    {
      allowed: 'a postgres or postgresql URL',
      accepts: (url) => url === '' || isUrlOf(url, ['postgres:', 'postgresql:']),
      secret: true,
      alias: 'DATABASE_URL',
    },
  ),
  'valkey-url': setting(
    Type.String({
      default: '',
      description:
        'Valkey or Redis in which instances count requests together and share the orders that they give out. Empty: each instance by itself.',
    }),
    {
      allowed: 'a valkey, valkeys, redis or rediss URL',
      accepts: (url) => url === '' || isUrlOf(url, ['valkey:', 'valkeys:', 'redis:', 'rediss:']),
      secret: true,
      alias: 'VALKEY_URL',
    },
  ),
  limits: setting(
    Type.Union(
      ON_LOSS.map((choice) => Type.Literal(choice)),
      {
        default: 'fail-open',
        description:
          'While Valkey does not answer: count in each instance alone (`fail-open`), or refuse with 503 what would be counted (`fail-closed`).',
      },
    ),
    { allowed: `one of ${ON_LOSS.join(', ')}` },
  ),
  'key-secret': setting(
    Type.String({
      default: '',
      description:
        'What API keys are hashed with: the same for every instance on one database. Empty: made at the first start and kept in `data-dir`.',
    }),
    {
      allowed: 'a text of 32 to 200 characters',
      accepts: (secret) => secret === '' || (secret.length >= 32 && secret.length <= 200),
      secret: true,
    },
  ),
  'member-token-days': whole(
    90,
    0,
    3_660,
    "Days for which a member's token for the admin interface works at most, from when it is made. 0: for ever.",
  ),
};
