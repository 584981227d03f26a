import { useQuery } from '@tanstack/react-query';
import { callAdmin } from '../../api/admin.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';
import { readAnswer } from '../../api/read-answer.ts';
import { shape, type ShapeValue } from '../../base/json-shape.ts';

const readViewer = shape.object({
  who: shape.text,
  /** `operator`, or the role of the member. */
  standing: shape.text,
  rights: shape.list(shape.text),
  /** Null: the operator, who is in none. */
  organisation: shape.nullable(shape.text),
  teams: shape.nullable(shape.list(shape.text)),
});

/** Who looks at the page, and what the server lets them do. */
export type Viewer = ShapeValue<typeof readViewer>;

/** Returns who looks at the page; null while that is not known. */
export function useViewer(): Viewer | null {
  const generation = useCredentialGeneration();
  const { data } = useQuery({
    queryKey: ['viewer', generation],
    queryFn: async () => {
      const viewer = readAnswer('who you are', readViewer, await callAdmin('/admin/v1/me'));
      return { ...viewer, organisation: viewer.organisation ?? findOwnOrganisation(viewer) };
    },
    staleTime: 60_000,
  });
  return data ?? null;
}

/** A member is named `acme/ann`. */
function findOwnOrganisation({ who, standing }: Pick<Viewer, 'who' | 'standing'>): string | null {
  return standing === 'operator' ? null : (who.split('/')[0] ?? null);
}

/** Whether somebody has a right. The server decides in any case. */
export function hasRight(viewer: Viewer | null, right: string): boolean {
  return viewer?.rights.includes(right) === true;
}

/** Whether somebody may change the keys and the firewall of a team. A member may in its own teams only. */
export function mayChangeTeam(viewer: Viewer | null, ownTeams: readonly string[], team: string): boolean {
  if (!hasRight(viewer, 'key.write')) return false;
  return viewer?.standing !== 'member' || ownTeams.includes(team);
}
