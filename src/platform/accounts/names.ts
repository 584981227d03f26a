import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../../common/refusal.ts';

const SLUG = /^[a-z0-9-]{1,48}$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/**
 * @param what - The slug belongs to, as the message names it.
 * @throws Refused when the slug is invalid
 */
export function checkSlug(what: string, slug: string): void {
  if (SLUG.test(slug)) return;
  throw new Refused(
    'invalid-value',
    `the ${what}'s slug must be 1 to 48 lowercase letters, digits and hyphens, got ${formatForError(slug)}`,
  );
}

/** @throws Refused when the name of a key is invalid */
export function checkKeyName(name: string): void {
  checkName('key', name);
}

/** @throws Refused when the name of a firewall rule is invalid */
export function checkRuleName(name: string): void {
  checkName('rule', name);
}

const MEMBER = /^[a-z0-9][a-z0-9@._+-]{0,99}$/;

/**
 * Checks that a name is an e-mail address or a short name. Lowercase only, so that no two members look alike.
 * @throws Refused when the name is invalid
 */
export function checkMemberName(name: string): void {
  if (MEMBER.test(name)) return;
  throw new Refused(
    'invalid-value',
    `the member's name must be an e-mail address or a name of 1 to 100 lowercase letters, digits and @ . _ + -, the first a letter or digit, got ${formatForError(name)}`,
  );
}

function checkName(what: string, name: string): void {
  if (NAME.test(name)) return;
  throw new Refused(
    'invalid-value',
    `the ${what}'s name must be 1 to 64 letters, digits, spaces, dots, hyphens and underscores, the first a letter or digit, got ${formatForError(name)}`,
  );
}
