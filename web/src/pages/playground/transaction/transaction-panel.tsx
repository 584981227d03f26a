import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { decodeTransaction } from '../../../api/decode.ts';
import type { DecodedTransaction } from '../../../api/decoded-transaction.ts';
import { useInstance } from '../../../api/instance.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { Code } from '../../../parts/code.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { TransactionView } from '../../../parts/transaction-view/transaction-view.tsx';
import type { FoundTransaction } from './find-transactions.ts';
import { LandingPanel } from './landing-panel.tsx';
import { type SimulationOutcome, simulateTransaction } from './simulate.ts';
import type { AnsweredRequest } from './transaction-actions.tsx';

/** One transaction: what it is, what it would do, and its way to the network. */
export function TransactionPanel({
  found,
  request,
}: {
  readonly found: FoundTransaction;
  readonly request: AnsweredRequest;
}) {
  const { data: instance } = useInstance();
  const isSandbox = instance?.network.kind === 'embedded' && !instance.production;
  const decoding = useMutation({
    mutationFn: () => decodeTransaction({ transaction: found.transaction }),
  });
  // What it would do is no longer of interest when it has done it.
  const [hasLanded, setLanded] = useState(false);
  const simulation = useMutation({ mutationFn: () => simulateTransaction(found.transaction) });
  return (
    <div className="transaction-actions__panel">
      <p className="transaction-actions__title">
        <strong>Transaction</strong> <code>{found.path}</code>
        <span>
          {formatWhole(found.byteCount)} of {formatWhole(1_232)} bytes
        </span>
      </p>
      <div className="transaction-actions__buttons">
        <Button busy={decoding.isPending} onClick={() => decoding.mutate()}>
          Decode
        </Button>
        {isSandbox ? (
          <Button busy={simulation.isPending} onClick={() => simulation.mutate()}>
            Simulate
          </Button>
        ) : null}
      </div>
      <DecodedPart data={decoding.data} error={decoding.error} isOpen={!hasLanded} />
      <SimulatedPart data={simulation.data} error={simulation.error} isOpen={!hasLanded} />
      {isSandbox ? (
        <LandingPanel found={found} request={request} onLanded={() => setLanded(true)} />
      ) : (
        <OutsideNote />
      )}
    </div>
  );
}

interface PartProps<Result> {
  readonly data: Result | undefined;
  readonly error: Error | null;
  readonly isOpen: boolean;
}

function DecodedPart({ data, error, isOpen }: PartProps<DecodedTransaction>) {
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return null;
  return (
    <Disclosure summary="What it says" open={isOpen}>
      <TransactionView decoded={data} />
    </Disclosure>
  );
}

function SimulatedPart({ data, error, isOpen }: PartProps<SimulationOutcome>) {
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return null;
  const { unitsConsumed, logs } = data;
  return (
    <Disclosure
      open={isOpen}
      summary={
        <>
          Simulation:{' '}
          <Badge tone={data.error === null ? 'good' : 'danger'}>
            {data.error === null ? 'would succeed' : 'would fail'}
          </Badge>
          {unitsConsumed === null ? '' : ` ${formatWhole(unitsConsumed)} compute units`}
        </>
      }
    >
      <div className="transaction-actions__part">
        {data.error === null ? null : <p>{data.error}</p>}
        {logs.length === 0 ? null : (
          <Code text={logs.join('\n')} language="text" label="the log of the simulation" maxLines={14} />
        )}
      </div>
    </Disclosure>
  );
}

function OutsideNote() {
  return (
    <p className="transaction-actions__note">
      This page signs on the embedded network only. Sign it with your own wallet, and send it as the snippets
      do.
    </p>
  );
}
