import type { ReactNode } from 'react';
import { AddressText } from '../../../parts/address-text.tsx';
import { Button } from '../../../parts/button.tsx';
import { Code } from '../../../parts/code.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { TransactionView } from '../../../parts/transaction-view/transaction-view.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { formatExactJson, toExactJson } from '../../../base/exact-json.ts';
import { writeCurl } from '../../../openapi/snippets/curl.ts';
import {
  findStepToRepeat,
  type StepExchange,
  type StepId,
  type StepState,
  type SwapRunState,
} from './swap-run.ts';
import { formatSwapAmount } from './tokens.ts';

const TITLES: Readonly<Record<StepId, string>> = {
  wallet: 'Make a throwaway wallet',
  faucet: 'Fill it from the faucet',
  order: 'Ask for an order',
  decode: 'Read the transaction',
  sign: 'Sign it in this browser',
  execute: 'Execute it',
  balances: 'Read the balances again',
};

const PROGRESS_TEXTS: Readonly<Record<StepState['progress'], string>> = {
  waiting: 'not begun',
  running: 'under way',
  done: 'done',
  skipped: 'not needed',
  failed: 'failed',
};

/** A step of the swap: what it did, what it sent and got, and what went wrong. */
export function StepItem({
  step,
  state,
  onRepeat,
}: {
  readonly step: StepState;
  readonly state: SwapRunState;
  readonly onRepeat: (id: StepId) => void;
}) {
  const { id, progress, exchange, error } = step;
  const note = progress === 'done' || progress === 'skipped' ? renderNote(step, state) : null;
  const repeated = findStepToRepeat(id, error);
  return (
    <li className={`swap-step swap-step--${progress}`} data-step={id} data-progress={progress}>
      <div className="swap-step__head">
        <span className="swap-step__mark" aria-hidden="true" />
        <h3 className="swap-step__title">
          {TITLES[id]}
          <span className="visually-hidden">, {PROGRESS_TEXTS[progress]}</span>
        </h3>
        {note === null ? null : <div className="swap-step__note">{note}</div>}
      </div>
      {progress === 'failed' ? (
        <div className="swap-step__failure">
          <ErrorNote error={error} />
          <Button onClick={() => onRepeat(repeated)} disabled={state.isRunning}>
            {repeated === id ? 'Try this step again' : 'Try again with a new order'}
          </Button>
        </div>
      ) : null}
      {exchange === null ? null : <ExchangeView exchange={exchange} />}
      {id === 'decode' && state.found.decoded !== null ? (
        <Disclosure summary="The transaction, decoded" open>
          <TransactionView decoded={state.found.decoded} />
        </Disclosure>
      ) : null}
    </li>
  );
}

function ExchangeView({ exchange: { request, answer } }: { readonly exchange: StepExchange }) {
  return (
    <Disclosure
      summary={
        <>
          Request and answer <code>{`${request.method} ${request.path}`}</code>
        </>
      }
    >
      <div className="swap-step__exchange">
        <Code text={writeCurl(request)} language="bash" label="the request as curl" maxLines={12} />
        {answer === undefined ? null : (
          <Code
            text={typeof answer === 'string' ? answer : formatExactJson(toExactJson(answer), 2)}
            language="json"
            label="the answer"
            maxLines={20}
          />
        )}
      </div>
    </Disclosure>
  );
}

/** What a step that is done has found, in a few words. */
function renderNote({ id, progress }: StepState, { intent, found }: SwapRunState): ReactNode {
  const { key, order, decoded, execution, before } = found;
  switch (id) {
    case 'wallet':
      return key === null ? null : <AddressText address={key.address} />;
    case 'faucet':
      if (progress === 'skipped') return 'It has enough already.';
      return before === null ? null : 'SOL and USDC of the sandbox, worth nothing elsewhere.';
    case 'order':
      if (order === null || intent === null) return null;
      return `${formatSwapAmount(intent.inputMint, intent.amount)} for ${formatSwapAmount(intent.outputMint, order.outAmount)}, through ${listVenues(order.routePlan)}`;
    case 'decode':
      if (decoded === null) return null;
      return `${decoded.instructions.length} instructions in ${decoded.bytes} of at most 1\u202f232 bytes`;
    case 'sign':
      return 'The key does not leave the browser.';
    case 'execute':
      return execution?.signature === undefined ? null : (
        <>
          Landed: <AddressText address={execution.signature} link="transaction" />
        </>
      );
    case 'balances':
      return null;
  }
}

/** Names each venue once. */
function listVenues(steps: readonly { readonly swapInfo: { readonly label: string } }[]): string {
  return [...new Set(steps.map(({ swapInfo }) => swapInfo.label))].join(' and ') || 'no venue';
}
