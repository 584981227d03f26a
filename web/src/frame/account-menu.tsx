import './account-menu.css';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { useInstance } from '../api/instance.ts';
import { type Session, signOut, useSessionQuery } from '../api/session.ts';
import { escapeInvisible } from '../base/format-text.ts';
import { formatUtcTime } from '../base/format-time.ts';
import { Button } from '../parts/button.tsx';

/** Who is signed in on the admin port, with the way out; or the way in. Nothing on the other port, where nobody signs in. */
export function AccountMenu() {
  const { data: instance } = useInstance();
  const { data: session, isLoading } = useSessionQuery();
  const path = useRouterState({ select: ({ location }) => location.href });
  if (instance?.port !== 'admin' || isLoading) return null;
  if (session !== undefined) return <SignedIn session={session} />;
  const next = path.replace(/^\/portal(?=\/|$)/, '');
  // The page of the sign-in, and that of an invitation, are no pages to come back to.
  const isOwn = /^\/(sign-in|invitation)(\/|\?|$)/.test(next);
  return (
    <Link className="account-menu__link" to="/sign-in" search={isOwn || next === '/' ? {} : { next }}>
      Sign in
    </Link>
  );
}

function SignedIn({ session }: { readonly session: Session }) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useClosedOutside(box, isOpen, (byKey) => {
    setOpen(false);
    if (byKey) button.current?.focus();
  });
  const leave = async (everywhere: boolean) => {
    setBusy(true);
    await signOut(queryClient, everywhere);
  };
  const who = escapeInvisible(session.who);
  return (
    <div ref={box} className="account-menu">
      <button
        ref={button}
        type="button"
        className="account-menu__button"
        aria-expanded={isOpen}
        aria-controls={id}
        title={who}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="visually-hidden">Signed in as </span>
        <span className="account-menu__who">{who}</span>
      </button>
      {isOpen ? (
        <section id={id} className="account-menu__panel" aria-label="Who is signed in">
          <dl>
            <dt>Signed in as</dt>
            <dd>{who}</dd>
            <dt>Role</dt>
            <dd>{session.standing}</dd>
            <dt>Organisation</dt>
            <dd>{session.organisation === null ? 'all, as the operator' : session.organisation}</dd>
            <dt>Until</dt>
            <dd>{session.expiresAt === null ? 'this tab is closed' : formatUtcTime(session.expiresAt)}</dd>
          </dl>
          <p>
            {session.expiresAt === null
              ? 'This tab uses a credential that was entered in it, and no session.'
              : 'At the latest. It also ends after an hour in which no page asks for anything.'}
          </p>
          <Button busy={isBusy} onClick={() => void leave(false)}>
            Sign out
          </Button>
          <Button kind="quiet" disabled={isBusy} onClick={() => void leave(true)}>
            Sign out everywhere
          </Button>
          <p>
            {session.organisation === null
              ? 'Everywhere: all sessions that were begun with the operator’s credential, those of others included.'
              : 'Everywhere: all sessions that were begun with your token.'}
          </p>
        </section>
      ) : null}
    </div>
  );
}

/** Closes what is open at a press outside of it, or at Escape. */
function useClosedOutside(
  box: { readonly current: HTMLElement | null },
  isOpen: boolean,
  onClose: (byKey: boolean) => void,
): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!isOpen) return;
    const press = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) close.current(false);
    };
    const type = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close.current(true);
    };
    document.addEventListener('pointerdown', press);
    document.addEventListener('focusin', press);
    document.addEventListener('keydown', type);
    return () => {
      document.removeEventListener('pointerdown', press);
      document.removeEventListener('focusin', press);
      document.removeEventListener('keydown', type);
    };
  }, [isOpen, box]);
}
