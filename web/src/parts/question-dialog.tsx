import './question-dialog.css';
import { type ReactNode, useEffect, useId, useRef } from 'react';

/** A dialog of the browser: the page behind it cannot be used, and Escape closes it. */
export function QuestionDialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className="question" aria-labelledby={id} onCancel={onClose}>
      <h2 id={id} className="panel__title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
