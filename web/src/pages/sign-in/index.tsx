import { useInstance } from '../../api/instance.ts';
import { useSession } from '../../api/session.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { OtherPortNote } from '../../parts/admin-gate.tsx';
import { Button } from '../../parts/button.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { SignInForm } from '../../parts/sign-in-form.tsx';
import { Loading } from '../../parts/status.tsx';
import { useLeave } from './use-leave.ts';

/** Signs in, and leads back to where the reader came from. */
export function SignInPage() {
  return (
    <Page title="Sign in" lead="For the operator of this instance, and for members of its organisations.">
      <SignInContent />
    </Page>
  );
}

function SignInContent() {
  const { data: instance } = useInstance();
  const session = useSession();
  const leave = useLeave();
  if (instance === undefined) return <Loading what="what runs here" />;
  if (instance.port !== 'admin')
    return <OtherPortNote what="Organisations and operation" instance={instance} />;
  if (session !== null) {
    return (
      <Panel title="You are signed in">
        <p>
          As {escapeInvisible(session.who)}. To be somebody else, sign out first, with the button that has
          this name in the header.
        </p>
        <Button kind="primary" onClick={() => leave(session)}>
          Go on
        </Button>
      </Panel>
    );
  }
  return (
    <Panel title="Your credential">
      <SignInForm onSignedIn={leave} />
    </Panel>
  );
}
