import type { MemberLine } from '../../../api/organisations/organisation-shapes.ts';
import type { Viewer } from '../../../parts/manage/use-viewer.ts';

/** Returns the name that a viewer has in its organisation; null: it is no member. */
export function findOwnName(viewer: Viewer | null): string | null {
  if (viewer === null || viewer.organisation === null) return null;
  return viewer.who.slice(viewer.organisation.length + 1);
}

/** Returns the teams that a viewer belongs to, as the list of members says. */
export function findOwnTeams(viewer: Viewer | null, members: readonly MemberLine[]): readonly string[] {
  const name = findOwnName(viewer);
  return viewer?.teams ?? members.find((member) => member.name === name)?.teams ?? [];
}
