import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Prefixes that show what kind of secret a token is. */
const PREFIXES = {
  operator: 'sluice_operator_',
  member: 'sluice_member_',
  invitation: 'sluice_invite_',
} as const;

/** Returns a new token: the prefix of its kind, and 256 random bits in hex. */
export function createAdminToken(kind: keyof typeof PREFIXES): string {
  return PREFIXES[kind] + randomBytes(TOKEN_BYTES).toString('hex');
}

/** Whether a text has the form of a token for the admin interface, valid or not. */
export function isAdminToken(text: string): boolean {
  return Object.values(PREFIXES).some((prefix) => text.startsWith(prefix));
}
