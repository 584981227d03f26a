import { useState } from 'react';
import { useKeys, useTeams } from '../../../api/organisations/use-organisations.ts';
import { shortenName } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { FilterField } from '../../../parts/filter-field.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { ManageFrame } from '../../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../../parts/manage/use-organisation-scope.ts';
import { can, useSession } from '../../../api/session.ts';
import { Panel } from '../../../parts/page.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { usePageSearch } from '../../../parts/page-search.ts';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { TeamSelect } from '../../../parts/traffic/owner-fields.tsx';
import { useMinuteClock } from '../../../parts/use-minute-clock.ts';
import { ChangeKeyDialog } from './change-key.tsx';
import { type CreatedKey, CreateKeyDialog } from './create-key.tsx';
import { DeleteKeyDialog } from './delete-key.tsx';
import { buildKeyColumns, type KeyQuestion } from './key-columns.tsx';
import { NewKeyNote } from './new-key-note.tsx';
import { useKeyCreators } from './use-key-creators.ts';

/** The API keys of an organisation: of all its teams, or of one. */
export function KeysPage() {
  const scope = useOrganisationScope();
  const name = shortenName(scope.organisation, 48);
  return (
    <ManageFrame
      scope={scope}
      title={`Keys of ${name}`}
      lead="What clients send as x-api-key. A key belongs to a team, and is shown once."
      what={`The keys of ${name}`}
    >
      <Keys key={scope.organisation} organisation={scope.organisation} />
    </ManageFrame>
  );
}

function Keys({ organisation }: { readonly organisation: string }) {
  const [{ team = '', find = '' }, change] = usePageSearch();
  const [question, ask] = useState<KeyQuestion | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const creation = useChange();
  const viewer = useSession();
  const teams = useTeams(organisation);
  const keys = useKeys(organisation, team === '' ? null : team);
  const creators = useKeyCreators(organisation, can(viewer, 'audit.read'));
  const now = useMinuteClock();
  const slugs = teams.data?.teams.map(({ slug }) => slug) ?? [];
  const writable = slugs.filter((slug) => can(viewer, 'key.write', { organisation, team: slug }));
  const close = () => ask(null);
  return (
    <>
      <div className="manage-bar">
        <TeamSelect organisation={organisation} team={team} onChoose={(slug) => change({ team: slug })} />
        <FilterField
          label="Find"
          value={find}
          placeholder="name"
          onChange={(text) => change({ find: text })}
        />
        <div className="manage-bar__end">
          <CreateButton
            teams={slugs}
            writable={writable}
            isKnown={teams.data !== undefined && viewer !== null}
            onClick={() => setCreating(true)}
          />
        </div>
      </div>
      {created === null ? null : (
        <NewKeyNote organisation={organisation} created={created} onClose={() => setCreated(null)} />
      )}
      <Panel>
        {keys.error === null ? null : <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />}
        {keys.data === undefined ? (
          keys.error === null ? (
            <Loading what="the keys" />
          ) : null
        ) : (
          <KeyTable
            query={keys}
            find={find}
            mayCreate={writable.length > 0}
            columns={buildKeyColumns({
              organisation,
              hasTeams: team === '',
              creators,
              mayChange: (slug) => can(viewer, 'key.write', { organisation, team: slug }),
              now,
              onAsk: ask,
            })}
          />
        )}
      </Panel>
      {isCreating ? (
        <CreateKeyDialog
          organisation={organisation}
          teams={writable}
          initial={team === '' ? null : team}
          change={creation}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
          }}
          onClose={() => {
            setCreating(false);
            creation.clear();
          }}
        />
      ) : null}
      {question?.kind === 'change' ? (
        <ChangeKeyDialog organisation={organisation} line={question.line} onClose={close} />
      ) : null}
      {question?.kind === 'delete' ? (
        <DeleteKeyDialog organisation={organisation} line={question.line} onClose={close} />
      ) : null}
    </>
  );
}

function KeyTable({
  query: { data, hasNextPage, fetchNextPage, isFetchingNextPage },
  find,
  mayCreate,
  columns,
}: {
  readonly query: ReturnType<typeof useKeys>;
  readonly find: string;
  readonly mayCreate: boolean;
  readonly columns: ReturnType<typeof buildKeyColumns>;
}) {
  const all = data?.pages.flatMap(({ keys }) => keys) ?? [];
  const wanted = find.toLowerCase();
  const shown = all.filter(
    ({ name, excerpt }) => name.toLowerCase().includes(wanted) || excerpt?.includes(wanted) === true,
  );
  return (
    <>
      {shown.length > 0 ? (
        <VirtualTable
          caption="The keys"
          columns={columns}
          rows={shown}
          rowKey={({ team, name }) => `${team}/${name}`}
          estimate={64}
        />
      ) : (
        <EmptyNote>
          {all.length === 0
            ? `There is no key here yet.${mayCreate ? ' Create one, and send it as x-api-key.' : ''}`
            : 'No key that is loaded has such a name or such ends.'}
        </EmptyNote>
      )}
      {hasNextPage ? (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </>
  );
}

function CreateButton({
  teams,
  writable,
  isKnown,
  onClick,
}: {
  readonly teams: readonly string[];
  readonly writable: readonly string[];
  readonly isKnown: boolean;
  readonly onClick: () => void;
}) {
  if (!isKnown || writable.length > 0)
    return (
      <Button kind="primary" disabled={!isKnown} onClick={onClick}>
        Create a key
      </Button>
    );
  return (
    <p className="manage-muted">
      {teams.length === 0
        ? 'A key belongs to a team, and there is none yet. Create one on the overview.'
        : 'You can create keys in your own teams only, and you belong to none.'}
    </p>
  );
}
