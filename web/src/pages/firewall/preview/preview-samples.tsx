import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import type { PreviewedRequest, RulePreview } from '../source/firewall-shapes.ts';
import type { FirewallTeam } from '../source/use-firewall.ts';
import { describeChange } from './preview-text.ts';

const FIRST = 8;
const NAME_LENGTH = 32;

const TONES: Readonly<Record<string, 'danger' | 'good' | 'warning' | 'plain'>> = {
  stopped: 'danger',
  'let-through': 'good',
  unknown: 'warning',
};

/** Requests for which something would change, and then those that match, with a link to each in the log. */
export function PreviewSamples({
  team,
  preview: { samples, rules },
}: {
  readonly team: FirewallTeam;
  readonly preview: RulePreview;
}) {
  const [isWhole, setWhole] = useState(false);
  if (samples.length === 0) return null;
  const shown = isWhole ? samples : samples.slice(0, FIRST);
  return (
    <>
      <DataTable
        caption="Requests that the rule would have changed or matched"
        columns={listColumns(team, rules.length < 2)}
        rows={shown}
        rowKey={({ requestId }) => requestId}
      />
      {samples.length > FIRST ? (
        <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show ${samples.length} examples`}
        </Button>
      ) : null}
    </>
  );
}

function listColumns(
  { organisation }: FirewallTeam,
  isAlone: boolean,
): readonly TableColumn<PreviewedRequest>[] {
  return [
    {
      heading: 'Request',
      cell: ({ method, path, requestId }) => (
        <Link
          to="/organisations/$organisation/log"
          params={{ organisation }}
          search={{ requestId, request: requestId } as never}
          preload={false}
          className="preview__request"
        >
          {escapeInvisible(`${method} ${path}`)}
        </Link>
      ),
    },
    {
      heading: 'Then and now',
      cell: ({ decision, effect, change, rule }) => {
        const [was, would] = describeChange(decision, effect);
        return (
          <>
            <span className="preview__change">
              {was} → <Badge tone={TONES[change] ?? 'plain'}>{would}</Badge>
            </span>
            {isAlone || effect === null ? null : (
              <span className="preview__more">{describeDecider(rule)}</span>
            )}
          </>
        );
      },
    },
    {
      heading: 'From',
      cell: ({ key, client }) => (
        <>
          <span>{escapeInvisible(client)}</span>
          <span className="preview__more">{shortenName(key, NAME_LENGTH)}</span>
        </>
      ),
    },
    { heading: 'Time', cell: ({ at }) => <TimeText at={at} /> },
  ];
}

function describeDecider(rule: string | null): string {
  if (rule === '') return 'by this rule';
  return rule === null ? 'by no rule' : `by ${shortenName(rule, NAME_LENGTH)}`;
}
