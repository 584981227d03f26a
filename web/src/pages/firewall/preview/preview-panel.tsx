import { ChoiceBar } from '../../../parts/choice-bar.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import type { RulePreview } from '../source/firewall-shapes.ts';
import type { ActionKind } from '../source/rule-draft.ts';
import type { FirewallTeam, usePreview } from '../source/use-firewall.ts';
import { PreviewSamples } from './preview-samples.tsx';
import { describePreview, formatRequests, listWarnings } from './preview-text.ts';

/** How far a preview looks back, by its name in the address. */
export const PREVIEW_RANGES = [
  ['1h', 'Last hour', 3_600_000],
  ['24h', 'Last 24 hours', 86_400_000],
  ['7d', 'Last 7 days', 604_800_000],
] as const;
export type PreviewRange = (typeof PREVIEW_RANGES)[number][0];

const NAME_LENGTH = 48;

/** What a rule would have done with the newest requests of the team, while it is built. */
export function PreviewPanel({
  team,
  action,
  problem,
  range,
  preview: { data, error, isCurrent, refetch },
  onRange,
}: {
  readonly team: FirewallTeam;
  readonly action: ActionKind;
  /** Why the rule cannot be tried yet; null: it can. */
  readonly problem: string | null;
  readonly range: PreviewRange;
  readonly preview: ReturnType<typeof usePreview>;
  readonly onRange: (range: PreviewRange) => void;
}) {
  return (
    <Panel
      title="With the team’s newest requests"
      aside={
        <ChoiceBar
          label="Time"
          choices={PREVIEW_RANGES.map(([name, label]) => [name, label] as const)}
          chosen={range}
          onChoose={onRange}
        />
      }
    >
      <div aria-live="polite" aria-busy={problem === null && !isCurrent} data-testid="preview">
        {problem !== null ? (
          <p className="rule-note">{problem} Then you see here what the rule would have done.</p>
        ) : error !== null ? (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading what="the newest requests" />
        ) : (
          <PreviewResult team={team} action={action} preview={data} />
        )}
      </div>
    </Panel>
  );
}

function PreviewResult({
  team,
  action,
  preview,
}: {
  readonly team: FirewallTeam;
  readonly action: ActionKind;
  readonly preview: RulePreview;
}) {
  const { top, refusedBefore } = preview;
  return (
    <div className="preview">
      <p className="preview__sentence">{describePreview(preview, action)}</p>
      {listWarnings(preview, action).map(({ tone, text }) => (
        <p key={text} className={`preview__warning preview__warning--${tone}`} data-tone={tone}>
          {escapeInvisible(text)}
        </p>
      ))}
      {top.paths.length === 0 ? null : (
        <dl className="preview__top">
          <TopList label="Endpoints" entries={top.paths} />
          <TopList label="Keys" entries={top.keys} />
          <TopList label="Addresses" entries={top.clients} />
        </dl>
      )}
      <PreviewSamples team={team} preview={preview} />
      {refusedBefore === 0 ? null : (
        <p className="rule-note">
          {formatRequests(refusedBefore)} never came to the firewall, because their key may not use the
          product.
        </p>
      )}
    </div>
  );
}

function TopList({
  label,
  entries,
}: {
  readonly label: string;
  readonly entries: RulePreview['top']['paths'];
}) {
  return (
    <div>
      <dt>{label} that it stops most</dt>
      {entries.map(({ name, requests }) => (
        <dd key={name}>
          <span title={escapeInvisible(name)}>{shortenName(name, NAME_LENGTH)}</span>
          <span className="preview__count">{formatWhole(requests)}</span>
        </dd>
      ))}
    </div>
  );
}
