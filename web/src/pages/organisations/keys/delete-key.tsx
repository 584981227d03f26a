import { useQuery } from '@tanstack/react-query';
import { callAdmin, sendAdmin } from '../../../api/admin.ts';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { type KeyLine, readRuleNames } from '../../../api/organisations/organisation-shapes.ts';
import { toTeamPath } from '../../../api/organisations/use-organisations.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { shortenName } from '../../../base/format-text.ts';
import { RemovalDialog } from '../../../parts/manage/removal-dialog.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { ErrorNote, Loading } from '../../../parts/status.tsx';

/** Deletes a key, after saying which firewall rules name it. */
export function DeleteKeyDialog({
  organisation,
  line: { team, name, lastUsedAt },
  onClose,
}: {
  readonly organisation: string;
  readonly line: KeyLine;
  readonly onClose: () => void;
}) {
  const generation = useCredentialGeneration();
  const { data, error } = useQuery({
    queryKey: ['organisations', generation, organisation, 'rule-names', team],
    queryFn: async () =>
      readAnswer('the rules', readRuleNames, await callAdmin(`${toTeamPath(organisation, team)}/rules`)),
    // A rule that was made since must be named too.
    staleTime: 0,
  });
  const change = useChange();
  const path = `${toTeamPath(organisation, team)}/keys/${encodeURIComponent(name)}`;
  const rules = data?.rules.filter(({ groups }) =>
    groups.flat().some(({ type, values }) => type === 'key' && values.includes(name)),
  );
  return (
    <RemovalDialog
      title={`Delete the key ${name}?`}
      action="Delete the key"
      isReady={rules !== undefined || error !== null}
      change={change}
      onConfirm={() => change.start(() => sendAdmin('DELETE', path), onClose)}
      onClose={onClose}
    >
      <p>
        It is refused from the next request on.{' '}
        {lastUsedAt === null ? 'It was never used.' : `It was last used at ${formatUtcTime(lastUsedAt)}.`}{' '}
        This cannot be undone.
      </p>
      {error !== null ? (
        <ErrorNote error={error} />
      ) : rules === undefined ? (
        <Loading what="the firewall rules that name it" />
      ) : rules.length === 0 ? (
        <p className="manage-muted">No firewall rule names it.</p>
      ) : (
        <>
          <p>These firewall rules name it. They stay, and a new key with this name falls under them:</p>
          <ul className="manage-list">
            {rules.map((rule) => (
              <li key={rule.name}>
                {shortenName(rule.name, 64)}
                {rule.enabled ? '' : ' (off)'}
              </li>
            ))}
          </ul>
        </>
      )}
    </RemovalDialog>
  );
}
