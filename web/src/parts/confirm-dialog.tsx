import './confirm-dialog.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

/**
 * Asks before something that cannot be taken back. The browser's own dialog: it keeps the focus, and Escape closes it.
 *
 * @param props.typed - A word that must be typed first. Default: nothing must be typed.
 */
export function ConfirmDialog({
  title,
  action,
  typed,
  children,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  /** What the button that does it says. */
  readonly action: string;
  readonly typed?: string;
  readonly children: ReactNode;
  readonly onConfirm: () => void;
  /** Called when it is closed, whether it was confirmed or not. */
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="confirm-dialog" aria-label={title} onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
          dialog.current?.close();
        }}
      >
        <h2>{title}</h2>
        <div>{children}</div>
        {typed === undefined ? null : (
          <Field label={`Type ${typed} to go on`}>
            {(control) => (
              <input
                {...control}
                type="text"
                autoComplete="off"
                spellCheck={false}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
        <div className="confirm-dialog__buttons">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={typed !== undefined && text.trim() !== typed}>
            {action}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
