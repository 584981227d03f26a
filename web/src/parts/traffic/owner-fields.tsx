import { useKeys, useTeams } from '../../api/organisations/use-organisations.ts';
import { NameSelect } from './name-select.tsx';

/** Chooses a team of an organisation, or all. */
export function TeamSelect({
  organisation,
  team,
  help,
  onChoose,
}: {
  readonly organisation: string;
  /** Its slug, or the id of one that was deleted; empty: all. */
  readonly team: string;
  readonly help?: string;
  /** Called with a team; null: all. */
  readonly onChoose: (team: string | null) => void;
}) {
  const { data } = useTeams(organisation);
  const names = data?.teams.map(({ slug }) => slug) ?? [];
  return (
    <NameSelect label="Team" all="All teams" names={names} value={team} help={help} onChoose={onChoose} />
  );
}

/** Chooses a key of a team, or all. */
export function KeySelect({
  organisation,
  team,
  chosen,
  onChoose,
}: {
  readonly organisation: string;
  readonly team: string;
  /** Its name, or the id of one that was deleted; empty: all. */
  readonly chosen: string;
  /** Called with the name of a key; null: all. */
  readonly onChoose: (key: string | null) => void;
}) {
  const { data } = useKeys(organisation, team);
  const names = data?.pages.flatMap(({ keys }) => keys.map(({ name }) => name)) ?? [];
  return <NameSelect label="Key" all="All keys" names={names} value={chosen} onChoose={onChoose} />;
}
