import { formatCounted } from '../../../base/count-words.ts';
import { useState } from 'react';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { EmptyNote, ErrorNote } from '../../../parts/status.tsx';
import { describeConsidered, formatRequests, formatSpan } from '../preview/preview-text.ts';
import type { FirewallRule, RulePreview } from '../source/firewall-shapes.ts';
import { type ActionKind, toDraft } from '../source/rule-draft.ts';
import { countKinds, sortByPrecedence } from '../source/rule-order.ts';
import { describeDraft } from '../source/rule-text.ts';
import { type FirewallTeam, useRuleChange } from '../source/use-firewall.ts';

const ACTION_NAMES: Readonly<Record<ActionKind, string>> = {
  bypass: 'Bypass',
  deny: 'Deny',
  'rate-limit': 'Rate limit',
  log: 'Only record',
};
const TONES: Readonly<Record<ActionKind, 'good' | 'danger' | 'warning' | 'plain'>> = {
  bypass: 'good',
  deny: 'danger',
  'rate-limit': 'warning',
  log: 'plain',
};

/** The rules of a team in the order in which they decide, each with what it did with the newest requests. */
export function RuleList({
  team,
  rules,
  preview,
  mayWrite,
  onEdit,
}: {
  readonly team: FirewallTeam;
  readonly rules: readonly FirewallRule[];
  /** What the rules as they are make of the newest requests; null while it is not known. */
  readonly preview: RulePreview | null;
  readonly mayWrite: boolean;
  readonly onEdit: (name: string) => void;
}) {
  if (rules.length === 0) {
    return (
      <EmptyNote>
        <p>
          The team has no rules: every request with one of its keys passes the firewall. Begin with one that
          only records, or with an example.
        </p>
      </EmptyNote>
    );
  }
  const hits = new Map(preview?.rules.map((rule) => [rule.name, rule]));
  return (
    <>
      <ol className="rule-list">
        {sortByPrecedence(rules).map((rule) => (
          <RuleItem
            key={rule.name}
            team={team}
            rule={rule}
            hits={preview === null ? null : (hits.get(rule.name) ?? null)}
            preview={preview}
            mayWrite={mayWrite}
            onEdit={() => onEdit(rule.name)}
          />
        ))}
      </ol>
      <Disclosure summary="Which rule wins when several match">
        <ol className="rule-precedence">
          <li>
            <strong>The action.</strong> A bypass wins over a denial, a denial over a rate limit, and a rate
            limit over a rule that only records.
          </li>
          <li>
            <strong>How specific it is.</strong> Of two rules with the same action, the one whose matching
            group looks at more different things: path and country win over path alone.
          </li>
          <li>
            <strong>The age.</strong> Otherwise the older rule.
          </li>
        </ol>
        <p className="rule-note">
          The list is in this order, so the uppermost rule that matches decides. A rule with several groups
          stands where its most specific group puts it. Every rule that matches is in the request log, also
          where another one decides.
        </p>
      </Disclosure>
    </>
  );
}

function RuleItem({
  team,
  rule,
  hits,
  preview,
  mayWrite,
  onEdit,
}: {
  readonly team: FirewallTeam;
  readonly rule: FirewallRule;
  readonly hits: RulePreview['rules'][number] | null;
  readonly preview: RulePreview | null;
  readonly mayWrite: boolean;
  readonly onEdit: () => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const change = useRuleChange(team);
  const { name, enabled, expression } = rule;
  const shownName = escapeInvisible(name);
  const draft = toDraft(rule);
  const kind = draft?.action.kind ?? 'log';
  const kinds = countKinds(rule);
  return (
    <li className={enabled ? 'rule-item' : 'rule-item rule-item--off'} aria-label={shownName}>
      <div className="rule-item__head">
        <strong className="rule-item__name">{shownName}</strong>
        <Badge tone={enabled ? TONES[kind] : 'plain'}>{ACTION_NAMES[kind]}</Badge>
        <span className="rule-note">
          {kinds === 0 ? 'no conditions' : formatCounted(kinds, 'kind of condition', 'kinds of conditions')}
        </span>
        {enabled ? null : <Badge>switched off</Badge>}
      </div>
      <p className="rule-item__sentence">
        {escapeInvisible(draft === null ? expression : describeDraft(draft))}
      </p>
      {hits === null || preview === null || !enabled ? null : <RuleHits hits={hits} preview={preview} />}
      {change.error === null ? null : <ErrorNote error={change.error} />}
      {mayWrite ? (
        <div className="rule-buttons">
          <Button
            busy={change.isPending}
            onClick={() => change.mutate({ kind: 'switch', name, enabled: !enabled })}
            aria-label={`Switch ${shownName} ${enabled ? 'off' : 'on'}`}
          >
            {enabled ? 'Switch off' : 'Switch on'}
          </Button>
          <Button disabled={draft === null} onClick={onEdit} aria-label={`Change ${shownName}`}>
            {enabled ? 'Change' : 'Change or try'}
          </Button>
          <Button kind="quiet" onClick={() => setAsked(true)} aria-label={`Delete ${shownName}`}>
            Delete
          </Button>
        </div>
      ) : null}
      {isAsked ? (
        <ConfirmDialog
          title={`Delete the rule ${shownName}?`}
          action="Delete it"
          onConfirm={() => change.mutate({ kind: 'delete', name })}
          onClose={() => setAsked(false)}
        >
          <p>
            {enabled
              ? 'From then on it holds no longer. Switching it off does the same, and keeps it.'
              : 'It is switched off. This cannot be undone.'}
          </p>
        </ConfirmDialog>
      ) : null}
    </li>
  );
}

function RuleHits({
  hits: { matched, mayMatch, decided, mayDecide },
  preview,
}: {
  readonly hits: RulePreview['rules'][number];
  readonly preview: RulePreview;
}) {
  if (preview.considered === 0) return null;
  const all = describeConsidered(preview);
  const open =
    mayMatch === 0
      ? ''
      : ` Whether it matches ${formatRequests(mayMatch)}, the log cannot tell: it does not keep what they are judged by.`;
  return (
    <p className="rule-note">
      {matched === 0
        ? `Matches none of ${all}${mayMatch === 0 ? '' : ' for certain'}.${open}`
        : `Matches ${formatWhole(matched)} of ${all}, and decides ${formatSpan(decided, mayDecide)}.${open}`}
    </p>
  );
}
