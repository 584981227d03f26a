import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { formatContractPrice, formatContracts, formatOptionalDollars } from '../model/format-contracts.ts';
import { parsePositions, type PositionView } from '../model/parse-holdings.ts';
import { MarketLink } from './market-link.tsx';

const REFETCH_MS = 3_000;
/** More positions than that are in the raw answer's later pages. */
const MAX_POSITIONS = 100;

/** The positions of a wallet: what they cost, what they are worth, and what can be claimed. */
export function Positions({ address }: { readonly address: string }) {
  const query = useRawQuery(formatPositionsPath(address), { refetchMs: REFETCH_MS });
  const positions = useMemo(
    () => (query.data === undefined ? [] : parsePositions(query.data.exact)),
    [query.data],
  );
  return (
    <AnswerPanel title="Positions" what="positions" query={query}>
      {() =>
        positions.length === 0 ? (
          <EmptyNote>
            This wallet holds no contracts. Choose <Link to="/products/predictions">an event</Link> and buy a
            side of it in the playground.
          </EmptyNote>
        ) : (
          <StackedRows>
            <DataTable
              caption="Positions"
              rows={positions}
              rowKey={({ address: own }) => own}
              columns={[
                { heading: 'Market', cell: (position) => <MarketLink of={position} /> },
                { heading: 'Holds', cell: (position) => <Held position={position} /> },
                { heading: 'Cost', align: 'end', cell: ({ cost }) => formatOptionalDollars(cost) },
                { heading: 'Worth', align: 'end', cell: (position) => <Worth position={position} /> },
                { heading: 'Claim', cell: (position) => <Claim position={position} owner={address} /> },
              ]}
            />
          </StackedRows>
        )
      }
    </AnswerPanel>
  );
}

function Held({
  position: { contracts, isYes, isForecast, price, openedAt, address },
}: {
  readonly position: PositionView;
}) {
  return (
    <>
      {formatContracts(contracts)} {isForecast ? '' : isYes ? 'of yes' : 'of no'}
      <span className="event-table__note">
        {price === null || contracts === 0n ? '' : `at ${formatContractPrice(price)} each`}
        {openedAt === null ? '' : ` since ${formatUtcTime(openedAt)}`}
      </span>
      <AddressText address={address} />
    </>
  );
}

function Worth({ position: { value, profit, payout, contracts } }: { readonly position: PositionView }) {
  if (contracts === 0n) return <>{formatOptionalDollars(0n)}</>;
  return (
    <>
      {value === null ? 'waits for the result' : formatOptionalDollars(value)}
      {profit === null ? null : (
        <span className="event-table__note">
          {profit < 0n ? 'loss after fees' : 'profit after fees'}{' '}
          {formatOptionalDollars(profit < 0n ? -profit : profit)}
        </span>
      )}
      <span className="event-table__note">pays {formatOptionalDollars(payout)} if it wins</span>
    </>
  );
}

function Claim({
  position: { address, isClaimable, isForecast, contracts },
  owner,
}: {
  readonly position: PositionView;
  readonly owner: string;
}) {
  if (isClaimable) {
    return (
      <>
        <Badge tone="good">can be claimed</Badge>{' '}
        <Link
          to="/playground/$operationId"
          params={{ operationId: 'ClaimPredictionPosition' }}
          search={{ positionPubkey: address, body: JSON.stringify({ ownerPubkey: owner }) } as never}
        >
          Claim it in the playground
        </Link>
      </>
    );
  }
  if (contracts === 0n) return <>nothing is left in it</>;
  if (isForecast) return <>pays out by itself</>;
  return (
    <Link
      to="/playground/$operationId"
      params={{ operationId: 'ClosePredictionPosition' }}
      search={{ positionPubkey: address, body: JSON.stringify({ ownerPubkey: owner }) } as never}
    >
      Sell it in the playground
    </Link>
  );
}

/** Returns the path of the positions of a wallet. */
export function formatPositionsPath(address: string): string {
  return `/prediction/v1/positions?${new URLSearchParams({ ownerPubkey: address, start: '0', end: String(MAX_POSITIONS) })}`;
}
