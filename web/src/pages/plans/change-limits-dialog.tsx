import { useState } from 'react';
import { sendAdmin } from '../../api/admin.ts';
import type { KeylessLine } from '../../api/organisations/organisation-shapes.ts';
import { formatWhole } from '../../base/format-amount.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { useChange } from '../../parts/manage/use-change.ts';
import { QuestionDialog } from '../../parts/question-dialog.tsx';
import { ErrorNote } from '../../parts/status.tsx';
import { getLowestLimit, type LimitTexts, MAX_LIMIT_ENTERED, parseLimit } from './limit-form.ts';
import { LIMIT_NAMES } from './plan-columns.tsx';

/** Changes the limits of a plan. Only those that differ are sent. */
export function ChangeLimitsDialog({
  line,
  onClose,
}: {
  readonly line: KeylessLine;
  readonly onClose: () => void;
}) {
  const [texts, setTexts] = useState<LimitTexts>({
    main: String(line.main),
    execute: String(line.execute),
    submit: String(line.submit),
  });
  const change = useChange();
  const parsed = LIMIT_NAMES.map(
    ([bucket]) => [bucket, parseLimit(texts[bucket], getLowestLimit(line.name, bucket))] as const,
  );
  const changes = parsed.filter(([bucket, limit]) => limit !== line[bucket]);
  const isValid = parsed.every(([, limit]) => limit !== null);
  const needsKey =
    line.name.startsWith('keyless') && parsed.some(([bucket, limit]) => bucket === 'main' && limit === 0);
  return (
    <QuestionDialog title={`Change the limits of ${line.name}`} onClose={onClose}>
      <form
        className="question__form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isValid || changes.length === 0) return;
          const path = `/admin/v1/plans/${encodeURIComponent(line.name)}`;
          change.start(() => sendAdmin('PATCH', path, Object.fromEntries(changes)), onClose);
        }}
      >
        {LIMIT_NAMES.map(([bucket, noun]) => {
          const lowest = getLowestLimit(line.name, bucket);
          return (
            <Field
              key={bucket}
              label={`${noun} in any 60 seconds`}
              help={`Now ${formatWhole(line[bucket])}, usually ${formatWhole(line.usual[bucket])}.`}
              error={
                parseLimit(texts[bucket], lowest) === null
                  ? `a whole number from ${lowest} to ${formatWhole(MAX_LIMIT_ENTERED)}`
                  : null
              }
            >
              {(control) => (
                <input
                  {...control}
                  type="text"
                  inputMode="numeric"
                  autoComplete="off"
                  value={texts[bucket]}
                  onChange={({ target }) => setTexts({ ...texts, [bucket]: target.value })}
                />
              )}
            </Field>
          );
        })}
        {needsKey ? (
          <p className="manage-note manage-note--warning">Callers without a key are refused then.</p>
        ) : null}
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="question__buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            busy={change.isBusy}
            disabled={!isValid || changes.length === 0}
          >
            Change the limits
          </Button>
        </div>
      </form>
    </QuestionDialog>
  );
}
