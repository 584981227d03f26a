import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { describeFailure, postJson } from '../../api/call.ts';
import { useInstance } from '../../api/instance.ts';
import { readAnswer } from '../../api/read-answer.ts';
import { signIn } from '../../api/session.ts';
import { shape, type ShapeValue } from '../../base/json-shape.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatUtcTime } from '../../base/format-time.ts';
import { OtherPortNote } from '../../parts/admin-gate.tsx';
import { Button } from '../../parts/button.tsx';
import { SecretNote } from '../../parts/manage/secret-note.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { SecretForm } from '../../parts/secret-form.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';
import { useLeave } from './use-leave.ts';

const readMember = shape.object({
  organisation: shape.text,
  name: shape.text,
  role: shape.text,
  token: shape.text,
  tokenExpiresAt: shape.nullable(shape.number),
});

type NewMember = ShapeValue<typeof readMember>;

/** Accepts an invitation by its token: shows the member's own token, once, and signs in with it. */
export function InvitationPage() {
  const { data: instance } = useInstance();
  return (
    <Page
      title="Accept an invitation"
      lead="Whoever invited you has sent you the token of an invitation. It can be used once, within ten days."
    >
      {instance === undefined ? (
        <Loading what="what runs here" />
      ) : instance.port === 'admin' ? (
        <Acceptance />
      ) : (
        <OtherPortNote what="Invitations" instance={instance} />
      )}
    </Page>
  );
}

function Acceptance() {
  // In no query: an answer that is kept there would outlive the page.
  const [member, setMember] = useState<NewMember | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [hasJoined, setJoined] = useState(false);
  const accept = async (token: string) => {
    setError(null);
    try {
      const answer = await postJson('/admin/v1/invitations/accept', { token });
      setMember(readAnswer('the new member', readMember, answer));
      setJoined(true);
    } catch (failure) {
      setError(describeFailure(failure));
    }
  };
  if (member !== null) return <NewMemberNote member={member} onClose={() => setMember(null)} />;
  if (hasJoined) {
    return (
      <Panel title="You are a member">
        <p>
          Your token is not shown again. <Link to="/sign-in">Sign in with it</Link>; if you have lost it, the
          operator can make a new one for you.
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="The invitation">
      <SecretForm
        label="Token of the invitation"
        help="It begins with sluice_invite_."
        error={error}
        action="Accept"
        onSubmit={(token) => void accept(token)}
      />
    </Panel>
  );
}

function NewMemberNote({ member, onClose }: { readonly member: NewMember; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const leave = useLeave();
  const [failure, setFailure] = useState<unknown>(null);
  const { organisation, name, role, token, tokenExpiresAt } = member;
  const enter = async () => {
    try {
      const session = await signIn(queryClient, token, '');
      onClose();
      leave(session);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <SecretNote
      title="Your token, which is shown this once."
      label="the token"
      secret={token}
      onClose={onClose}
    >
      <p>
        You are {escapeInvisible(name)} of {escapeInvisible(organisation)}, with the role {role}. The token{' '}
        {tokenExpiresAt === null ? 'does not expire' : `expires at ${formatUtcTime(tokenExpiresAt)}`}; renew
        it before, on the page of the members.
      </p>
      {failure === null ? null : <ErrorNote error={failure} />}
      <Button kind="primary" onClick={() => void enter()}>
        I have kept it: sign in
      </Button>
    </SecretNote>
  );
}
