import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiCredential } from '../../../openapi/model/api-model.ts';
import type { ApiSide } from '../../../openapi/use-api-model.ts';
import { getCredentialPath } from './missing-credentials.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { requestToken } from '../../../wallet/sign-in.ts';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { nameCredential, useCredential } from '../../../api/credentials.ts';

/** The fields for what proves who the caller is. The values are kept for this tab alone. */
export function CredentialFields({
  side,
  credentials,
  problems,
}: {
  readonly side: ApiSide;
  readonly credentials: readonly ApiCredential[];
  readonly problems: ReadonlyMap<string, string>;
}) {
  return credentials.map((credential) => (
    <CredentialField
      key={credential.name}
      side={side}
      credential={credential}
      problem={problems.get(getCredentialPath(credential.name))}
    />
  ));
}

function CredentialField({
  side,
  credential: { name, header, isRequired },
  problem,
}: {
  readonly side: ApiSide;
  readonly credential: ApiCredential;
  readonly problem: string | undefined;
}) {
  const [value, setValue] = useCredential(nameCredential(side, name));
  const [isShown, setShown] = useState(false);
  const { label, help } = describeCredential(side, header);
  return (
    <Field label={label} required={isRequired} note={header} help={help} error={problem}>
      {(control) => (
        <div className="request-form__secret">
          <input
            {...control}
            data-path={getCredentialPath(name)}
            type={isShown ? 'text' : 'password'}
            value={value}
            autoComplete="new-password"
            spellCheck={false}
            onChange={(event) => setValue(event.target.value.trim())}
          />
          {side === 'public' && header === 'authorization' ? <SignInButton onToken={setValue} /> : null}
          <Button kind="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </Button>
        </div>
      )}
    </Field>
  );
}

/** Asks for a token of the browser's own wallet, so that no other tool is needed. */
function SignInButton({ onToken }: { readonly onToken: (token: string) => void }) {
  const { wallet, create } = useThrowawayWallet();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => requestToken(wallet.kind === 'ready' ? wallet.key : await create()),
    onSuccess: onToken,
  });
  if (wallet.kind === 'unavailable') return null;
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()} title="With the throwaway wallet of this browser">
        Sign in
      </Button>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}

function describeCredential(
  side: ApiSide,
  header: string,
): { readonly label: string; readonly help: string } {
  if (header !== 'authorization')
    return {
      label: 'API key',
      help: 'Kept for this tab only. The key of the demo is in the file demo-api-key of the data folder, .sluice unless you chose another.',
    };
  if (side === 'admin')
    return {
      label: 'Operator’s credential, or a member’s token',
      help: 'Kept for this tab only. The operator’s credential is in the file operator-credential of the data folder, .sluice unless you chose another.',
    };
  return {
    label: 'Token',
    help: 'Kept for this tab only. A wallet gets one when it signs a challenge; Sign in does so with the throwaway wallet of this browser.',
  };
}
