import type { KeylessLine, PlanLine } from '../../api/organisations/organisation-shapes.ts';
import { formatWhole } from '../../base/format-amount.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import type { TableColumn } from '../../parts/data-table.tsx';

/** What is asked about the limits of a plan. */
export interface LimitQuestion {
  readonly kind: 'change' | 'reset';
  readonly line: KeylessLine;
}

/** Called with what is asked about a plan. */
export type AskAboutLimits = (question: LimitQuestion) => void;

/** The limits, by their names in the API and as a reader calls them. */
export const LIMIT_NAMES = [
  ['main', 'Requests'],
  ['execute', 'Executions'],
  ['submit', 'Landings'],
] as const;

/** Returns the columns of limits, with what each was before it was changed. */
export function buildLimitColumns(onAsk: AskAboutLimits | null): readonly TableColumn<KeylessLine>[] {
  return [nameColumn, ...limitColumns, ...buildActionColumns(onAsk)];
}

/** Returns the columns of plans. */
export function buildPlanColumns(onAsk: AskAboutLimits | null): readonly TableColumn<PlanLine>[] {
  return [
    nameColumn,
    ...limitColumns,
    {
      heading: 'Credits in a month',
      align: 'end',
      cell: ({ includedCredits }) => (includedCredits === null ? 'unlimited' : formatWhole(includedCredits)),
    },
    ...buildActionColumns(onAsk),
  ];
}

const nameColumn: TableColumn<KeylessLine> = {
  heading: 'Plan',
  cell: ({ name, changed }) => (
    <div className="manage-name">
      <strong>{escapeInvisible(name)}</strong>
      {changed ? (
        <span>
          <Badge tone="accent">changed</Badge>
        </span>
      ) : null}
    </div>
  ),
};

const limitColumns: readonly TableColumn<KeylessLine>[] = LIMIT_NAMES.map(([bucket, noun]) => ({
  heading: `${noun} in 60 s`,
  align: 'end',
  cell: ({ [bucket]: limit, usual }: KeylessLine) => (
    <div className="manage-name">
      <span>{formatWhole(limit)}</span>
      {limit === usual[bucket] ? null : (
        <span className="manage-muted">usually {formatWhole(usual[bucket])}</span>
      )}
    </div>
  ),
}));

/** Whoever may not change limits has no such column. */
function buildActionColumns(onAsk: AskAboutLimits | null): readonly TableColumn<KeylessLine>[] {
  if (onAsk === null) return [];
  return [
    {
      heading: 'Actions',
      align: 'end',
      cell: (line) => (
        <div className="manage-actions">
          <Button
            kind="quiet"
            aria-label={`Change ${line.name}`}
            onClick={() => onAsk({ kind: 'change', line })}
          >
            Change
          </Button>
          {line.changed ? (
            <Button
              kind="quiet"
              aria-label={`Reset ${line.name}`}
              onClick={() => onAsk({ kind: 'reset', line })}
            >
              Reset
            </Button>
          ) : null}
        </div>
      ),
    },
  ];
}
