import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { QuestionDialog } from '../question-dialog.tsx';
import { ErrorNote } from '../status.tsx';
import type { ManageChange } from './use-change.ts';

/** Asks before something is done that cannot be taken back, and stays open with the reason where the server refuses it. */
export function RemovalDialog({
  title,
  action,
  typed,
  isReady = true,
  change,
  children,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  /** What the button that does it says. */
  readonly action: string;
  /** A word that must be typed first. Default: nothing must be typed. */
  readonly typed?: string | undefined;
  /** Whether what it concerns is known. Default: true. */
  readonly isReady?: boolean;
  readonly change: ManageChange;
  readonly children: ReactNode;
  /** Called when it is confirmed. */
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const isTyped = typed === undefined || text.trim() === typed;
  return (
    <QuestionDialog title={title} onClose={onClose}>
      <form
        className="question__form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && isReady) onConfirm();
        }}
      >
        {children}
        {typed === undefined ? null : (
          <Field label={`Type ${typed} to go on`}>
            {(control) => (
              <input
                {...control}
                type="text"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="question__buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={change.isBusy} disabled={!isTyped || !isReady}>
            {action}
          </Button>
        </div>
      </form>
    </QuestionDialog>
  );
}
