import './secret-form.css';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { describeFailure } from '../api/call.ts';
import { type Session, signIn } from '../api/session.ts';
import { useSessionNotice } from '../api/session-token.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

/** Signs in with the operator's credential or a member's token, or leads to where one is given out. Neither is kept: the session that begins is. */
export function SignInForm({
  onSignedIn,
}: {
  /** Called when the server has accepted the credential. */
  readonly onSignedIn?: (session: Session) => void;
}) {
  const queryClient = useQueryClient();
  const notice = useSessionNotice();
  const [credential, setCredential] = useState('');
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      const session = await signIn(queryClient, credential.trim(), name.trim());
      onSignedIn?.(session);
    } catch (failure) {
      setError(describeFailure(failure));
      setBusy(false);
    }
  };
  return (
    <>
      <form
        className="secret-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {notice === null ? null : <SignInNotice text={notice} />}
        <Field
          label="Operator’s credential, or a member’s token"
          help="The operator’s credential is in the file operator-credential of the data folder, .sluice unless you chose another, or it is the setting admin-credential. A member gets a token with an invitation."
          error={error}
        >
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={credential}
              onChange={(event) => setCredential(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Your name"
          help="Only with the operator’s credential, which several people may share: the audit log then says who it was. May be left out."
        >
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="nickname"
              spellCheck={false}
              maxLength={64}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" busy={isBusy} disabled={credential.trim() === ''}>
          Sign in
        </Button>
      </form>
      <p>
        You were invited, and have no token yet? <Link to="/invitation">Accept the invitation</Link> first.
      </p>
    </>
  );
}

/** Says why the form is there, where somebody was signed in before. */
export function SignInNotice({ text }: { readonly text: string }) {
  return (
    <p className="secret-form__notice" role="status">
      {text}
    </p>
  );
}
