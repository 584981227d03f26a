import './transaction-view.css';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DecodedTransaction } from '../../api/decoded-transaction.ts';
import { formatWhole } from '../../base/format-amount.ts';
import { AddressText } from '../address-text.tsx';
import { Amount } from '../amount.tsx';
import { Badge } from '../badge.tsx';
import { formatUnixTime } from './field-text.ts';

const MAX_BYTES = 1_232;
const SOL_DECIMALS = 9;

/** The facts of a transaction: who signs it, what it costs and takes, and when it landed. */
export function TransactionFacts({ decoded }: { readonly decoded: DecodedTransaction }) {
  const { result, signers, signature, lookupTables } = decoded;
  return (
    <dl className="transaction-facts">
      <Fact name="Status">
        <Status decoded={decoded} />
      </Fact>
      {signature === null ? null : (
        <Fact name="Signature">
          <AddressText address={signature} link={result === null ? null : 'transaction'} />
        </Fact>
      )}
      <Fact name={signers.length === 1 ? 'Signer' : 'Signers'}>
        {signers.map(({ address, signed }) => (
          <span key={address} className="transaction-facts__signer">
            <AddressText address={address} />
            {signed ? <Badge tone="good">signed</Badge> : <Badge>not signed</Badge>}
          </span>
        ))}
      </Fact>
      {result === null ? null : (
        <Fact name="Fee">
          <Amount raw={result.feeLamports} decimals={SOL_DECIMALS} symbol="SOL" />
        </Fact>
      )}
      <Fact name="Compute units">{describeUnits(decoded)}</Fact>
      {decoded.computeUnitPriceMicroLamports === null ? null : (
        <Fact name="Priority price">
          {formatWhole(BigInt(decoded.computeUnitPriceMicroLamports))} micro-lamports per unit
        </Fact>
      )}
      {result === null ? null : (
        <Fact name="Slot">
          <Link to="/explorer/block/$slot" params={{ slot: String(result.slot) }} preload={false}>
            {formatWhole(result.slot)}
          </Link>
        </Fact>
      )}
      {result?.blockTime == null ? null : <Fact name="Time">{formatUnixTime(result.blockTime)}</Fact>}
      <Fact name="Size">
        {formatWhole(decoded.bytes)} of {formatWhole(MAX_BYTES)} bytes,{' '}
        {decoded.version === 'legacy' ? 'legacy' : `version ${decoded.version}`}
      </Fact>
      {lookupTables.length === 0 ? null : (
        <Fact name={lookupTables.length === 1 ? 'Lookup table' : 'Lookup tables'}>
          {lookupTables.map((table) => (
            <AddressText key={table} address={table} copy={false} />
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Status({ decoded: { result, signers } }: { readonly decoded: DecodedTransaction }) {
  if (result !== null) {
    return result.error === null ? <Badge tone="good">landed</Badge> : <Badge tone="danger">failed</Badge>;
  }
  return signers.every(({ signed }) => signed) ? (
    <Badge tone="accent">signed</Badge>
  ) : (
    <Badge>to be signed</Badge>
  );
}

function describeUnits({ result, computeUnitLimit }: DecodedTransaction): string {
  const limit = computeUnitLimit === null ? null : formatWhole(computeUnitLimit);
  if (result?.unitsConsumed == null) return limit === null ? 'the default limit' : `at most ${limit}`;
  const used = formatWhole(result.unitsConsumed);
  return limit === null ? used : `${used} of ${limit}`;
}
