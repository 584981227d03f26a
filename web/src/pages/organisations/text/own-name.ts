import type { Session } from '../../../api/session.ts';

/** Returns the name that a viewer has in its organisation; null: it is no member. */
export function findOwnName(viewer: Session | null): string | null {
  if (viewer === null || viewer.organisation === null) return null;
  return viewer.who.slice(viewer.organisation.length + 1);
}
