import { shortenName } from '../../../base/format-text.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { SecretNote } from '../../../parts/manage/secret-note.tsx';

/** A token that was just made. It is kept by the page that shows it, and nowhere else. */
export interface ShownToken {
  readonly kind: 'invitation' | 'token';
  readonly name: string;
  readonly token: string;
  /** Whether it is the reader's own. */
  readonly isOwn: boolean;
}

/** Shows the token of an invitation or of a member, this once. */
export function TokenNote({
  shown: { kind, name, token },
  onClose,
}: {
  readonly shown: ShownToken;
  readonly onClose: () => void;
}) {
  const who = shortenName(name, 100);
  if (kind === 'invitation') {
    // The token does not stand in the link: addresses are remembered by browsers and written into logs.
    const link = `${location.origin}/portal/invitation`;
    return (
      <SecretNote
        title={`The invitation of ${who} is shown this once.`}
        label="the invitation"
        secret={token}
        onClose={onClose}
      >
        <p>
          Hand it to {who}, who enters it within 10 days at <a href={link}>{link}</a>{' '}
          <CopyButton text={link} label="Copy the link" shown="Copy the link" />
        </p>
      </SecretNote>
    );
  }
  return (
    <SecretNote
      title={`The new token of ${who} is shown this once.`}
      label="the token"
      secret={token}
      onClose={onClose}
    >
      <p>The token before is refused. Hand this one to {who}.</p>
    </SecretNote>
  );
}

/** Shows the new token of the reader, whose session has ended with the token before. */
export function OwnTokenNote({
  shown: { token },
  onClose,
}: {
  readonly shown: ShownToken;
  readonly onClose: () => void;
}) {
  return (
    <SecretNote title="Your new token is shown this once." label="the token" secret={token} onClose={onClose}>
      <p>Your session has ended with the token before. Keep this one, then sign in with it.</p>
    </SecretNote>
  );
}
