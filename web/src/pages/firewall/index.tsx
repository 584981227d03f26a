import { formatCounted } from '../../base/count-words.ts';
import './firewall.css';
import { Link } from '@tanstack/react-router';
import { useTeams } from '../../api/organisations/use-organisations.ts';
import { can, useSession } from '../../api/session.ts';
import { useDocsUrl } from '../../api/instance.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';
import { Panel } from '../../parts/page.tsx';
import { usePageSearch } from '../../parts/page-search.ts';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { RuleBuilder } from './builder/rule-builder.tsx';
import { PREVIEW_RANGES, type PreviewRange } from './preview/preview-panel.tsx';
import { RuleList } from './rules/rule-list.tsx';
import { toDraft } from './source/rule-draft.ts';
import { type FirewallTeam, usePreview, useRules } from './source/use-firewall.ts';
import { TryRequest } from './try/try-request.tsx';

/** The firewall of an organisation: the rules of each of its teams, which are built and tried here. */
export function FirewallPage() {
  const scope = useOrganisationScope();
  return (
    <ManageFrame
      scope={scope}
      title="Firewall"
      lead="What the keys of a team can be used for: which requests are stopped, limited or recorded."
      what="The rules of the organisation"
    >
      <TeamFirewalls key={scope.organisation} organisation={scope.organisation} />
    </ManageFrame>
  );
}

function TeamFirewalls({ organisation }: { readonly organisation: string }) {
  const [search, changeSearch] = usePageSearch();
  const { data, error, refetch } = useTeams(organisation);
  if (data === undefined)
    return error === null ? (
      <Loading what="the teams" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const { teams } = data;
  const team = teams.find(({ slug }) => slug === search.team)?.slug ?? teams[0]?.slug;
  if (team === undefined) {
    return (
      <EmptyNote>
        The organisation has no team yet. Rules belong to a team:{' '}
        <Link to="/organisations/$organisation" params={{ organisation }}>
          create one
        </Link>{' '}
        first.
      </EmptyNote>
    );
  }
  return (
    <>
      <div className="firewall-head">
        <Field label="Team">
          {(control) => (
            <select
              {...control}
              value={team}
              onChange={({ target }) => changeSearch({ team: target.value, edit: null })}
            >
              {teams.map(({ slug, rules }) => (
                <option key={slug} value={slug}>
                  {`${escapeInvisible(slug)} (${formatCounted(rules, 'rule')})`}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <TeamFirewall key={team} team={{ organisation, team }} />
    </>
  );
}

const DEFAULT_RANGE: PreviewRange = '24h';
const DAY_MS = 86_400_000;
/** In the address: a new rule is built. A rule can have no such name, because it begins with a space. */
const NEW = ' new';

function TeamFirewall({ team }: { readonly team: FirewallTeam }) {
  const [search, changeSearch] = usePageSearch();
  const docs = useDocsUrl();
  const session = useSession();
  const { data: rules, error, refetch } = useRules(team);
  const { edit } = search;
  const mayWrite = can(session, 'rule.write', { organisation: team.organisation, team: team.team });
  const edited = rules?.find(({ name }) => name === edit) ?? null;
  // What this page does not know of a rule would be lost when it is saved: it stays in the list.
  const isBuilding = edit === NEW || (edited !== null && toDraft(edited) !== null);
  // While a rule is built, its own preview is asked for alone.
  const isList = rules === undefined ? edit === undefined : !isBuilding;
  const preview = usePreview(team, isList ? { rule: null, replaces: null, rangeMs: DAY_MS } : null);
  if (rules === undefined)
    return error === null ? (
      <Loading what="the rules" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const range = PREVIEW_RANGES.find(([name]) => name === search.range)?.[0] ?? DEFAULT_RANGE;
  if (isBuilding) {
    return (
      <RuleBuilder
        key={edit}
        team={team}
        rule={edited}
        mayWrite={mayWrite}
        range={range}
        onRange={(chosen) => changeSearch({ range: chosen === DEFAULT_RANGE ? null : chosen })}
        onClose={() => changeSearch({ edit: null, range: null })}
      />
    );
  }
  return (
    <>
      <Panel
        title={`Rules of ${escapeInvisible(team.team)}`}
        aside={
          <Button kind="primary" onClick={() => changeSearch({ edit: NEW })}>
            {mayWrite ? 'New rule' : 'Try a rule'}
          </Button>
        }
      >
        <p className="rule-note">
          Rules apply to requests with keys of this team. They run before the limit of the plan, and what they
          stop costs no credits. <a href={`${docs}/firewall`}>How the firewall works</a>
        </p>
        {edited === null ? null : (
          <p className="rule-note" role="status">
            {escapeInvisible(edited.name)} has something that this page does not know, so it cannot be changed
            here. Reload the page after an update of Sluice.
          </p>
        )}
        <RuleList
          team={team}
          rules={rules}
          preview={preview.data ?? null}
          mayWrite={mayWrite}
          onEdit={(name) => changeSearch({ edit: name })}
        />
      </Panel>
      <TryRequest team={team} />
    </>
  );
}
