import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../refusal.ts';

const SLUG = /^[a-z0-9-]{1,48}$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/**
 * @param what whose slug it is, as the message names it
 * @throws Refused when it is none
 */
export function checkSlug(what: string, slug: string): void {
  if (SLUG.test(slug)) return;
  throw new Refused(
    'invalid-value',
    `the ${what}'s slug must be 1 to 48 lowercase letters, digits and hyphens, got ${formatForError(slug)}`,
  );
}

/** @throws Refused when it cannot be a key's name */
export function checkKeyName(name: string): void {
  checkName('key', name);
}

/** @throws Refused when it cannot be a firewall rule's name */
export function checkRuleName(name: string): void {
  checkName('rule', name);
}

const MEMBER = /^[a-z0-9][a-z0-9@._+-]{0,99}$/;

/**
 * An e-mail address or a short name, in small letters, so that nobody is taken for another.
 * @throws Refused when it cannot be a member's name
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
