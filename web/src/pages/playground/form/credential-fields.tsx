import { useState } from 'react';
import type { ApiCredential } from '../../../openapi/model/api-model.ts';
import type { ApiSide } from '../../../openapi/use-api-model.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { nameCredential, useCredential } from '../../../api/credentials.ts';

/** The fields for what proves who the caller is. The values are kept for this tab alone. */
export function CredentialFields({
  side,
  credentials,
}: {
  readonly side: ApiSide;
  readonly credentials: readonly ApiCredential[];
}) {
  return credentials.map((credential) => (
    <CredentialField key={credential.name} side={side} credential={credential} />
  ));
}

function CredentialField({
  side,
  credential: { name, header, isRequired },
}: {
  readonly side: ApiSide;
  readonly credential: ApiCredential;
}) {
  const [value, setValue] = useCredential(nameCredential(side, name));
  const [isShown, setShown] = useState(false);
  const { label, help } = describeCredential(side, header);
  return (
    <Field label={label} required={isRequired} note={header} help={help}>
      {(control) => (
        <div className="request-form__secret">
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            value={value}
            autoComplete="new-password"
            spellCheck={false}
            onChange={(event) => setValue(event.target.value.trim())}
          />
          <Button kind="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </Button>
        </div>
      )}
    </Field>
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
    help: 'Kept for this tab only. The challenge of trigger v2, signed by the wallet, gives one.',
  };
}
