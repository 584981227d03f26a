import './admin-gate.css';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../api/call.ts';
import { type InstanceInfo, useInstance } from '../api/instance.ts';
import { useSessionQuery } from '../api/session.ts';
import { Panel } from './page.tsx';
import { SignInForm, SignInNotice } from './sign-in-form.tsx';
import { EmptyNote, ErrorNote, Loading } from './status.tsx';

/**
 * Shows what needs the admin interface: on the admin port, after signing in; on the other port it says where to find it.
 *
 * @param props.what - What is shown, as the beginning of a sentence: `The books of all makers`.
 */
export function AdminGate({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { data: instance, error, refetch } = useInstance();
  if (instance === undefined)
    return error === null ? (
      <Loading what="what runs here" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  if (instance.port !== 'admin') return <OtherPortNote what={what} instance={instance} />;
  return <SessionGate what={what}>{children}</SessionGate>;
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

const UNKNOWN_CREDENTIAL =
  'The credential that was entered in this tab is neither the operator’s nor a valid token of a member.';

function SessionGate({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { data: session, error, isLoading, refetch } = useSessionQuery();
  const isRefused = error instanceof ApiError && error.status === 401;
  const isAsked = session === undefined && !isLoading && (error === null || isRefused);
  const wasAsked = useRef(false);
  useEffect(() => {
    // The form that had the focus is gone: the page begins here.
    if (wasAsked.current && session !== undefined) document.querySelector('h1')?.focus();
    if (!isLoading) wasAsked.current = isAsked;
  }, [isAsked, isLoading, session]);
  if (session !== undefined) return children;
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
