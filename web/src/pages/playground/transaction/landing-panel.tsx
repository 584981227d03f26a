import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decodeTransaction } from '../../../api/decode.ts';
import { useInstance } from '../../../api/instance.ts';
import { shortenAddress } from '../../../base/format-text.ts';
import type { ApiCredential } from '../../../openapi/model/api-model.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Code } from '../../../parts/code.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Field } from '../../../parts/field.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { TransactionView } from '../../../parts/transaction-view/transaction-view.tsx';
import { CredentialFields } from '../form/credential-fields.tsx';
import { findExecuteEndpoint } from './execute-endpoints.ts';
import type { FoundTransaction } from './find-transactions.ts';
import { type LandingOutcome, landTransaction } from './land.ts';
import type { AnsweredRequest } from './transaction-actions.tsx';
import { type TransactionSigner, useSigners } from './use-signers.ts';

/** Signs a transaction with a wallet that this page can use, and sends it. */
export function LandingPanel({
  found,
  request,
  onLanded,
}: {
  readonly found: FoundTransaction;
  readonly request: AnsweredRequest;
  /** Called when the transaction has reached the network, and succeeded or failed there. */
  readonly onLanded: () => void;
}) {
  const signers = useSigners(found.signers);
  const [chosen, setChosen] = useState('');
  const signer = signers.find(({ id }) => id === chosen) ?? signers[0];
  if (signer === undefined) return <NoSignerNote signers={found.signers} />;
  return (
    <div className="transaction-actions__part">
      {signers.length < 2 ? null : (
        <Field label="Sign with">
          {(control) => (
            <select {...control} value={signer.id} onChange={(event) => setChosen(event.target.value)}>
              {signers.map(({ id, name, address }) => (
                <option key={id} value={id}>
                  {name} ({shortenAddress(address)})
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <SignAndSend key={signer.id} signer={signer} found={found} request={request} onLanded={onLanded} />
    </div>
  );
}

function SignAndSend({
  signer,
  found,
  request,
  onLanded,
}: {
  readonly signer: TransactionSigner;
  readonly found: FoundTransaction;
  readonly request: AnsweredRequest;
  readonly onLanded: () => void;
}) {
  const queryClient = useQueryClient();
  const signing = useMutation({ mutationFn: () => signer.sign(found.transaction) });
  const landing = useMutation({
    mutationFn: async () => {
      const signed = await signer.sign(found.transaction);
      const endpoint = findExecuteEndpoint(request.path, found.requestId, signed);
      return landTransaction(signed, endpoint);
    },
    onSuccess: ({ signature }) => {
      if (signature !== null) onLanded();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['balances'] }),
  });
  const way = findExecuteEndpoint(request.path, found.requestId, '')?.path ?? 'sendTransaction';
  // A second execution would only be refused: the first has used the order up.
  const isDone = landing.data !== undefined && landing.data.error === null;
  return (
    <>
      <div className="transaction-actions__buttons">
        <Button kind="primary" busy={landing.isPending} disabled={isDone} onClick={() => landing.mutate()}>
          Sign and send
        </Button>
        <Button kind="quiet" busy={signing.isPending} onClick={() => signing.mutate()}>
          Only sign
        </Button>
        <span className="transaction-actions__note">
          with {signer.name}, through <code>{way}</code>
        </span>
      </div>
      {signing.error === null ? null : <ErrorNote error={signing.error} />}
      {signing.data === undefined ? null : (
        <div className="transaction-actions__signed">
          <span>Signed:</span> <code>{signing.data}</code>
          <CopyButton text={signing.data} label="Copy the signed transaction" />
        </div>
      )}
      {landing.error === null ? null : <ErrorNote error={landing.error} />}
      {landing.data === undefined ? null : <LandedPart outcome={landing.data} />}
    </>
  );
}

function LandedPart({ outcome: { signature, error, answer } }: { readonly outcome: LandingOutcome }) {
  return (
    <div className="transaction-actions__landed">
      <p role="status">
        <Badge tone={error === null ? 'good' : 'danger'}>{error === null ? 'landed' : 'failed'}</Badge>{' '}
        {signature === null ? null : <AddressText address={signature} link="transaction" />}
      </p>
      {error === null ? null : <p className="transaction-actions__error">{error}</p>}
      {answer === null ? null : (
        <Disclosure summary="What the endpoint answered">
          <Code
            text={JSON.stringify(answer, null, 2)}
            language="json"
            label="the answer of the execution"
            maxLines={16}
          />
        </Disclosure>
      )}
      {signature === null ? null : <LandedView key={signature} signature={signature} />}
    </div>
  );
}

function LandedView({ signature }: { readonly signature: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['decoded', signature],
    queryFn: () => decodeTransaction({ signature }),
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return data === undefined ? null : <TransactionView decoded={data} />;
}

/** The operator's credential, as the description of the admin interface names it. */
const OPERATOR: readonly ApiCredential[] = [
  { name: 'Bearer', header: 'authorization', prefix: 'Bearer ', isRequired: true },
];

function NoSignerNote({ signers }: { readonly signers: readonly string[] }) {
  const { data: instance } = useInstance();
  return (
    <>
      <p className="transaction-actions__note">
        This page has no key of {signers.map(shortenAddress).join(', ')}. Use your throwaway wallet in the
        form, and send the request again
        {instance?.controls === true
          ? ', or let a wallet of the sandbox sign, with the operator’s credential'
          : ''}
        .
      </p>
      {instance?.controls === true ? (
        <CredentialFields side="admin" credentials={OPERATOR} problems={NO_PROBLEMS} />
      ) : null}
    </>
  );
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();
