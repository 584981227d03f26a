import { expect, it } from 'vitest';
import { newAdminToken } from '../../platform/credentials/admin-token.ts';
import { newApiKey } from '../../platform/credentials/api-key.ts';
import { redactPath } from './redact-path.ts';

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

it.each([
  ['/swap/v2/build', '/swap/v2/build'],
  ['/swap/v2/build?key=a?b', '/swap/v2/build'],
  [`/tx/${SIGNATURE}`, `/tx/${SIGNATURE}`],
  [`/${newApiKey('jup_')}/swap`, '/jup_[redacted]/swap'],
  [`/x/${newAdminToken('member').toUpperCase()}`, '/x/SLUICE_MEMBER_[redacted]'],
  [`/${newAdminToken('operator')}${newApiKey('jup_')}`, '/sluice_operator_[redacted]jup_[redacted]'],
  ['/\x9b31m\x1b]0;x\x07\u202e/\ud800 é', '/%9B31m%1B]0;x%07%E2%80%AE/%EF%BF%BD%20%E9'],
])('shows %j as %j', (url, shown) => {
  expect(redactPath(url)).toBe(shown);
});
