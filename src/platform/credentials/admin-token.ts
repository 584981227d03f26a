import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** What each secret of the admin interface begins with, so that whoever finds one knows what it opens. */
const PREFIXES = {
  operator: 'sluice_operator_',
  member: 'sluice_member_',
  invitation: 'sluice_invite_',
} as const;

/** 256 bits after a prefix that says what it is, in hex. */
export function newAdminToken(kind: keyof typeof PREFIXES): string {
  return PREFIXES[kind] + randomBytes(TOKEN_BYTES).toString('hex');
}
