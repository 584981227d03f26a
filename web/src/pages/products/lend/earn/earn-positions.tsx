import { Link } from '@tanstack/react-router';
import { type RawAnswerText, useRawQuery } from '../../../../api/raw-query.ts';
import { Amount } from '../../../../parts/amount.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { PlaygroundLink, RawAnswer } from '../../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { BriefAmount, Dollars, Percentage } from '../../money/money-text.tsx';
import { TokenLink } from '../../../../parts/token-link.tsx';
import { composeDeposit, composeWithdrawal } from '../model/actions.ts';
import { computeLendValue, type EarnPosition, readEarnings, readEarnPositions } from '../model/earn.ts';

const LIVE_REFRESH_MS = 5_000;
const SLOW_REFRESH_MS = 20_000;
/** Earnings that can be asked for at once. */
const MAX_MINTS = 50;

/** What a wallet has deposited, and what that has earned. */
export function EarnPositions({ address }: { readonly address: string }) {
  const positions = useRawQuery<unknown>(`/lend/v1/earn/positions?users=${address}`, {
    refetchMs: LIVE_REFRESH_MS,
  });
  const held = readEarnPositions(positions.data?.exact);
  const mints = held.slice(0, MAX_MINTS).map(({ earn }) => earn.token.mint);
  const earnings = useRawQuery<unknown>(
    mints.length === 0 ? null : `/lend/v1/earn/earnings?user=${address}&positions=${mints.join(',')}`,
    { refetchMs: SLOW_REFRESH_MS },
  );
  if (positions.data === undefined) {
    return positions.error === null ? (
      <Loading what="the deposits" />
    ) : (
      <ErrorNote error={positions.error} onRetry={() => void positions.refetch()} />
    );
  }
  return (
    <>
      {held.length === 0 ? (
        <EmptyNote>
          This wallet has deposited nothing. Choose <b>Deposit</b> at one of the tokens below. Test tokens for
          a wallet of this browser are on the <Link to="/">start page</Link>.
        </EmptyNote>
      ) : (
        <DepositTable held={held} earnings={earnings.data} address={address} />
      )}
      {positions.error === null ? null : (
        <ErrorNote error={positions.error} onRetry={() => void positions.refetch()} />
      )}
      {earnings.error === null ? null : (
        <ErrorNote error={earnings.error} onRetry={() => void earnings.refetch()} />
      )}
      <RawAnswer raw={positions.data} name="of the deposits" />
      <RawAnswer raw={earnings.data} name="of the earnings" />
    </>
  );
}

function DepositTable({
  held,
  earnings,
  address,
}: {
  readonly held: readonly EarnPosition[];
  readonly earnings: RawAnswerText<unknown> | undefined;
  readonly address: string;
}) {
  const earned = readEarnings(earnings?.exact);
  return (
    <DataTable
      caption="Deposits of the wallet"
      columns={[
        {
          heading: 'Token',
          cell: ({ earn: { token } }) => <TokenLink mint={token.mint} label={token.symbol} />,
        },
        {
          heading: 'Worth now',
          align: 'end',
          cell: ({ worth, earn: { token } }) => (
            <BriefAmount raw={worth} places={token.decimals} unit={token.symbol} />
          ),
        },
        {
          heading: 'Value',
          align: 'end',
          cell: ({ worth, earn }) => <Dollars value={computeLendValue(worth, earn.token)} />,
        },
        {
          heading: 'Receipt tokens',
          align: 'end',
          cell: ({ shares, earn: { token, receiptSymbol } }) => (
            <BriefAmount raw={shares} places={token.decimals} unit={receiptSymbol} />
          ),
        },
        {
          heading: 'Earns a year',
          align: 'end',
          cell: ({ earn }) => <Percentage millionths={earn.totalRate} />,
        },
        {
          heading: 'Earned',
          align: 'end',
          cell: ({ earn: { token } }) => {
            const amount = earned.get(token.mint);
            return amount === undefined ? (
              ''
            ) : (
              <span title={amount.since === null ? 'No history' : `Since ${amount.since}`}>
                <Amount raw={amount.earned} decimals={token.decimals} symbol={token.symbol} signed />
              </span>
            );
          },
        },
        {
          heading: 'Do',
          cell: ({ earn }) => (
            <span className="lend-actions">
              <PlaygroundLink method="POST" path={composeDeposit(earn, address)}>
                Deposit
              </PlaygroundLink>
              <PlaygroundLink method="POST" path={composeWithdrawal(earn, address)}>
                Withdraw
              </PlaygroundLink>
            </span>
          ),
        },
      ]}
      rows={held}
      rowKey={({ earn }) => earn.receiptMint}
    />
  );
}
