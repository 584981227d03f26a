import './admin-gate.css';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { callAdmin } from '../api/admin.ts';
import { ApiError } from '../api/call.ts';
import { ADMIN_CREDENTIAL, useCredential, useCredentialGeneration } from '../api/credentials.ts';
import { type InstanceInfo, useInstance } from '../api/instance.ts';
import { Panel } from './page.tsx';
import { SecretForm } from './secret-form.tsx';
import { EmptyNote, ErrorNote, Loading } from './status.tsx';

/**
 * Shows what needs the admin interface: on the admin port, after asking for a credential where none is accepted yet; on the
 * other port it says where to find it.
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
  return <CredentialGate what={what}>{children}</CredentialGate>;
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
      {what} are on the admin port, for the operator.{' '}
      {admin === null ? (
        'It is shown to the machine on which this instance runs.'
      ) : (
        <a href={`${admin}/portal${href.replace(/^\/portal(?=\/|$)/, '')}`}>Open this page there.</a>
      )}
    </EmptyNote>
  );
}

function CredentialGate({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const generation = useCredentialGeneration();
  const [credential] = useCredential(ADMIN_CREDENTIAL);
  const hasCredential = credential !== '';
  const { error, isLoading, refetch } = useQuery({
    queryKey: ['admin-me', generation],
    queryFn: () => callAdmin('/admin/v1/me'),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: hasCredential,
  });
  const wasAsked = useRef(false);
  const isAsked = !hasCredential || (error instanceof ApiError && error.status === 401);
  useEffect(() => {
    // The form that had the focus is gone: the page begins here.
    if (wasAsked.current && !isAsked && !isLoading) document.querySelector('h1')?.focus();
    if (!isLoading) wasAsked.current = isAsked;
  }, [isAsked, isLoading]);
  if (isLoading) return <Loading what="what you may do" />;
  if (isAsked) return <CredentialPrompt what={what} />;
  return error === null ? children : <ErrorNote error={error} onRetry={() => void refetch()} />;
}

function CredentialPrompt({ what }: { readonly what: string }) {
  const [kept, keep] = useCredential(ADMIN_CREDENTIAL);
  return (
    <Panel title="The operator’s credential">
      <p className="admin-gate__lead">{what} need it.</p>
      <SecretForm
        label="Operator’s credential, or a member’s token"
        help="Kept for this tab only. The operator’s credential is in the file operator-credential of the data folder, .sluice unless you chose another."
        error={kept === '' ? null : 'This is neither the operator’s credential nor a member’s token.'}
        action="Use it"
        onSubmit={keep}
      />
    </Panel>
  );
}
