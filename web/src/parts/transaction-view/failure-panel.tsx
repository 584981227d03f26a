import './transaction-view.css';
import { Link } from '@tanstack/react-router';
import type { DecodedTransaction } from '../../api/decoded-transaction.ts';
import { useDocsUrl } from '../../api/instance.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Amount } from '../amount.tsx';
import { InstructionFields } from './instruction-fields.tsx';

const SOL_DECIMALS = 9;
/** The page of the documentation with all kinds of failures. */
const DOCS_ANCHOR = 'portal#why-a-transaction-failed';

/** Why a transaction failed: what happened and where, the numbers, what it cost anyway, and what one can do. */
export function FailurePanel({
  decoded,
  isAlone = false,
}: {
  readonly decoded: DecodedTransaction;
  /** Whether the instructions are on another page, that of the explorer. Default: false. */
  readonly isAlone?: boolean;
}) {
  const docs = useDocsUrl();
  const { result } = decoded;
  if (result === null || result.error === null) return null;
  const { failure, logs } = result;
  const line = failure?.logLine == null ? undefined : logs[failure.logLine];
  return (
    <section className="failure-panel" role="status" aria-label="Why the transaction failed">
      <p className="failure-panel__sentence">
        <strong>The transaction failed.</strong>{' '}
        {escapeInvisible(failure?.sentence ?? result.errorText ?? result.error)}
      </p>
      {failure === null ? null : (
        <>
          <InstructionFields fields={failure.facts} />
          {line === undefined ? null : (
            <p className="failure-panel__line" title="What the log says">
              {escapeInvisible(line)}
            </p>
          )}
          <p>
            <strong>What you can do:</strong> {failure.advice}{' '}
            <a href={`${docs}/${DOCS_ANCHOR}`}>All kinds of failures</a>
          </p>
        </>
      )}
      <p className="failure-panel__cost">
        The fee payer paid the fee of <Amount raw={result.feeLamports} decimals={SOL_DECIMALS} symbol="SOL" />{' '}
        anyway. Everything else is as it was before.
        {failure?.instruction == null ? null : (
          <>
            {' '}
            {isAlone ? (
              <Link
                to="/explorer/tx/$signature"
                params={{ signature: decoded.signature ?? '' }}
                hash={`instruction-${failure.instruction + 1}`}
                preload={false}
              >
                See instruction {failure.instruction + 1}
              </Link>
            ) : (
              <a href={`#instruction-${failure.instruction + 1}`}>
                See instruction {failure.instruction + 1}
              </a>
            )}
          </>
        )}
      </p>
      <p className="failure-panel__code" title="The error as the network says it">
        {result.error}
      </p>
    </section>
  );
}
