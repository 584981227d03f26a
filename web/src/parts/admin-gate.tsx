import './admin-gate.css';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../api/call.ts';
import { escapeInvisible } from '../base/format-text.ts';
import { type InstanceInfo, useInstance } from '../api/instance.ts';
import { can, type Session, useSessionQuery } from '../api/session.ts';
import { Panel } from './page.tsx';
import { SignInForm, SignInNotice } from './sign-in-form.tsx';
import { EmptyNote, ErrorNote, Loading } from './status.tsx';

interface AdminGateProps {
  readonly what: string;
  /** What a reader needs, as the documentation names it. Default: what the operator alone has. */
  readonly right?: string | undefined;
  /** The organisation of which the page is. Default: of none, or of all. */
  readonly organisation?: string | undefined;
  readonly children: ReactNode;
}

/**
 * Shows what needs the admin interface: on the admin port, after signing in; on the other port it says where to find it.
 *
 * @param props.what - What is shown, as the beginning of a sentence: `The books of all makers`.
 */
export function AdminGate({ what, right = 'instance.write', organisation, children }: AdminGateProps) {
  const { data: instance, error, refetch } = useInstance();
  if (instance === undefined)
    return error === null ? (
      <Loading what="what runs here" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  if (instance.port !== 'admin') return <OtherPortNote what={what} instance={instance} />;
  return (
    <SessionGate what={what} right={right} organisation={organisation}>
      {children}
    </SessionGate>
  );
}

/** Says that the admin port shows something, with a link to the same page there where this machine may follow it. */
export function OtherPortNote({
  what,
  instance,
}: {
  readonly what: string;
  readonly instance: InstanceInfo;
}) {
  const href = useRouterState({ select: ({ location }) => location.href });
  const { admin } = instance.urls;
  return (
    <EmptyNote>
      {what} are on the admin port, for those who sign in there.{' '}
      {admin === null ? (
        'It is shown to the machine on which this instance runs.'
      ) : (
        <a href={`${admin}/portal${href.replace(/^\/portal(?=\/|$)/, '')}`}>Open this page there.</a>
      )}
    </EmptyNote>
  );
}

/** Says who would see a page, in place of an empty page or of refusals. */
function MissingRight({ what, session }: { readonly what: string; readonly session: Session }) {
  const { organisation } = session;
  return (
    <EmptyNote>
      {what} are not shown to you: you are signed in as {escapeInvisible(session.who)}, with the role{' '}
      {session.standing}.{' '}
      {organisation === null ? null : (
        <Link to="/organisations/$organisation" params={{ organisation }}>
          Go to {escapeInvisible(organisation)}.
        </Link>
      )}
    </EmptyNote>
  );
}

const UNKNOWN_CREDENTIAL =
  'The credential that was entered in this tab is neither the operator’s nor a valid token of a member.';

function SessionGate({ what, right = 'instance.write', organisation, children }: AdminGateProps) {
  const { data: session, error, isLoading, refetch } = useSessionQuery();
  const isRefused = error instanceof ApiError && error.status === 401;
  const isAsked = session === undefined && !isLoading && (error === null || isRefused);
  const wasAsked = useRef(false);
  useEffect(() => {
    // The form that had the focus is gone: the page begins here.
    if (wasAsked.current && session !== undefined) document.querySelector('h1')?.focus();
    if (!isLoading) wasAsked.current = isAsked;
  }, [isAsked, isLoading, session]);
  if (session !== undefined) {
    const place = organisation === undefined ? {} : { organisation };
    return can(session, right, place) ? children : <MissingRight what={what} session={session} />;
  }
  if (isLoading) return <Loading what="what you may do" />;
  if (!isAsked) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <Panel title="Sign in">
      <p className="admin-gate__lead">{what} are shown to those who may see them.</p>
      {isRefused ? <SignInNotice text={UNKNOWN_CREDENTIAL} /> : null}
      <SignInForm />
    </Panel>
  );
}
