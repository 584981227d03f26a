import './manage.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../button.tsx';
import { Code } from '../code.tsx';

/**
 * Shows a secret, this once. It is forgotten when the note is closed or the page is left, and also when the browser keeps the
 * page for its button that leads back.
 */
export function SecretNote({
  title,
  label,
  secret,
  children,
  onClose,
}: {
  /** What the secret is, and that it is shown once. */
  readonly title: string;
  /** What is copied: `the key`. */
  readonly label: string;
  readonly secret: string;
  /** What can be done with it. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}) {
  const note = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    note.current?.focus();
    // The page must be without it before the browser keeps a picture of the page.
    const forget = () => flushSync(() => close.current());
    window.addEventListener('pagehide', forget);
    return () => window.removeEventListener('pagehide', forget);
  }, []);
  return (
    <section ref={note} className="secret-note" aria-label={title} tabIndex={-1} data-testid="secret-note">
      <p>
        <strong>{title}</strong> Sluice keeps only a keyed hash of it. Copy it now.
      </p>
      <Code text={secret} language="text" label={label} />
      {children}
      <div>
        <Button onClick={onClose}>I have kept it</Button>
      </div>
    </section>
  );
}
