import { useState } from 'react';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { Code } from '../../../parts/code.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Field } from '../../../parts/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { PREVIEW_RANGES, PreviewPanel, type PreviewRange } from '../preview/preview-panel.tsx';
import { isDangerous, listWarnings } from '../preview/preview-text.ts';
import type { FirewallRule } from '../source/firewall-shapes.ts';
import { PRESETS } from '../source/presets.ts';
import { createDraft, findDraftProblem, type RuleDraft, toDraft, toRuleTerms } from '../source/rule-draft.ts';
import { describeDraft, formatRuleCommand, formatRuleJson } from '../source/rule-text.ts';
import { type FirewallTeam, usePreview, useRuleChange } from '../source/use-firewall.ts';
import { useSuggestions } from '../source/use-suggestions.ts';
import { ActionEditor } from './action-editor.tsx';
import { GroupEditor } from './group-editor.tsx';

const MAX_NAME = 64;

/** Builds a rule, or changes one, and shows beside it what it would have done. */
export function RuleBuilder({
  team,
  rule,
  mayWrite,
  range,
  onRange,
  onClose,
}: {
  readonly team: FirewallTeam;
  /** The rule that is changed; null: a new one. */
  readonly rule: FirewallRule | null;
  /** Whether the reader may save it. Whoever may not can try it all the same. */
  readonly mayWrite: boolean;
  readonly range: PreviewRange;
  readonly onRange: (range: PreviewRange) => void;
  /** Called when it was saved or given up. */
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState<RuleDraft>(
    () => (rule === null ? null : toDraft(rule)) ?? createDraft(),
  );
  const [asked, setAsked] = useState(false);
  const suggestions = useSuggestions(team);
  const change = useRuleChange(team);
  const terms = toRuleTerms(draft);
  const problem = findDraftProblem(draft);
  const rangeMs = PREVIEW_RANGES.find(([name]) => name === range)?.[2] ?? 0;
  const preview = usePreview(
    team,
    terms === null ? null : { rule: terms, replaces: rule?.name ?? null, rangeMs },
  );
  const { data } = preview;
  const name = draft.name.trim();
  const canSave = terms !== null && name !== '';
  const save = (enabled: boolean) => {
    if (terms === null) return;
    change.mutate({ kind: rule === null ? 'add' : 'edit', name, enabled, terms }, { onSuccess: onClose });
  };
  const saveOn = () => {
    if (data !== undefined && isDangerous(data, draft.action.kind)) setAsked(true);
    else save(true);
  };
  return (
    <div className="rule-builder">
      <Panel title={rule === null ? 'New rule' : `Change ${escapeInvisible(rule.name)}`}>
        {rule === null ? <PresetChoice onChoose={setDraft} /> : null}
        <Field
          label="Name"
          help={rule === null ? 'The log names the rule so. It cannot be changed later.' : undefined}
        >
          {(control) => (
            <input
              {...control}
              type="text"
              value={draft.name}
              disabled={rule !== null}
              maxLength={MAX_NAME}
              autoComplete="off"
              onChange={({ target }) => setDraft({ ...draft, name: target.value })}
            />
          )}
        </Field>
        <GroupEditor
          groups={draft.groups}
          suggestions={suggestions}
          onChange={(groups) => setDraft({ ...draft, groups })}
        />
        <ActionEditor action={draft.action} onChange={(action) => setDraft({ ...draft, action })} />
        <p className="rule-sentence" data-testid="sentence">
          {escapeInvisible(describeDraft(draft))}
        </p>
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="rule-buttons">
          {mayWrite ? (
            <>
              <Button kind="primary" disabled={!canSave} busy={change.isPending} onClick={() => save(false)}>
                Save switched off
              </Button>
              {/* Its warnings have to be those of what is switched on. */}
              <Button disabled={!canSave || !preview.isCurrent} busy={change.isPending} onClick={saveOn}>
                Save and switch on
              </Button>
            </>
          ) : null}
          <Button kind="quiet" onClick={onClose}>
            {mayWrite ? 'Cancel' : 'Back to the rules'}
          </Button>
        </div>
        {mayWrite && canSave ? null : (
          <p className="rule-note">
            {mayWrite
              ? (problem ?? 'Give the rule a name, and it can be saved.')
              : 'Your role may try rules, and not change those of this team. Owners and admins can, and members of the team.'}
          </p>
        )}
        {terms === null ? null : <TakeAlong team={team} draft={draft} />}
      </Panel>
      <PreviewPanel
        team={team}
        action={draft.action.kind}
        problem={problem}
        range={range}
        preview={preview}
        onRange={onRange}
      />
      {asked && data !== undefined ? (
        <ConfirmDialog
          title="Switch it on all the same?"
          action="Switch it on"
          onConfirm={() => save(true)}
          onClose={() => setAsked(false)}
        >
          {listWarnings(data, draft.action.kind)
            .filter(({ tone }) => tone === 'danger')
            .map(({ text }) => (
              <p key={text}>{escapeInvisible(text)}</p>
            ))}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

function PresetChoice({ onChoose }: { readonly onChoose: (draft: RuleDraft) => void }) {
  return (
    <Field label="Begin with" help="An example to change. It replaces what is below.">
      {(control) => (
        <select
          {...control}
          defaultValue=""
          onChange={({ target }) => onChoose(PRESETS[Number(target.value)]?.create() ?? createDraft())}
        >
          <option value="">an empty rule</option>
          {PRESETS.map(({ title }, index) => (
            <option key={title} value={index}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The rule as a command and as the body of the request that saves it. */
function TakeAlong({
  team: { organisation, team },
  draft,
}: {
  readonly team: FirewallTeam;
  readonly draft: RuleDraft;
}) {
  const terms = toRuleTerms(draft);
  const command = formatRuleCommand(`${organisation}/${team}`, draft);
  if (terms === null) return null;
  return (
    <Disclosure summary="The rule as a command and as JSON">
      {command === null ? (
        <p className="rule-note">A value has a comma or joins words, which only the admin interface takes.</p>
      ) : (
        <Code text={command} language="bash" label="the command" />
      )}
      <Code
        text={formatRuleJson(draft.name.trim() || 'new rule', terms)}
        language="json"
        label="the JSON"
        maxLines={18}
      />
    </Disclosure>
  );
}
