import { useRawQuery } from '../../../../api/raw-query.ts';
import { DataTable } from '../../../../parts/data-table.tsx';
import { PlaygroundLink, RawAnswer } from '../../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { BriefAmount, Dollars, Percentage } from '../../money/money-text.tsx';
import { TokenLink } from '../../../../parts/token-link.tsx';
import { composeDeposit } from '../model/actions.ts';
import { computeLendValue, readEarnTokens } from '../model/earn.ts';

const REFRESH_MS = 20_000;

/** The tokens that can be deposited, and what each pays. */
export function EarnTokens({ signer }: { readonly signer: string | null }) {
  const { data, error, refetch } = useRawQuery<unknown>('/lend/v1/earn/tokens', { refetchMs: REFRESH_MS });
  if (data === undefined) {
    return error === null ? (
      <Loading what="the tokens" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  const tokens = readEarnTokens(data.exact);
  return (
    <>
      {tokens.length === 0 ? (
        <EmptyNote>The lending program of this network takes no deposits.</EmptyNote>
      ) : (
        <div className="lend-table">
          <DataTable
            caption="Tokens that can be deposited"
            columns={[
              { heading: 'Token', cell: ({ token }) => <TokenLink mint={token.mint} label={token.symbol} /> },
              {
                heading: 'Pays a year',
                align: 'end',
                cell: ({ totalRate }) => <Percentage millionths={totalRate} />,
              },
              {
                heading: 'of it interest',
                align: 'end',
                cell: ({ supplyRate }) => <Percentage millionths={supplyRate} />,
              },
              {
                heading: 'of it rewards',
                align: 'end',
                cell: ({ rewardsRate }) => <Percentage millionths={rewardsRate} />,
              },
              {
                heading: 'Deposited',
                align: 'end',
                cell: ({ deposited, token }) => (
                  <BriefAmount raw={deposited} places={token.decimals} unit={token.symbol} />
                ),
              },
              {
                heading: 'Value',
                align: 'end',
                cell: ({ deposited, token }) => <Dollars value={computeLendValue(deposited, token)} />,
              },
              {
                heading: 'Can be withdrawn now',
                align: 'end',
                cell: ({ withdrawable, token }) => (
                  <BriefAmount raw={withdrawable} places={token.decimals} unit={token.symbol} />
                ),
              },
              {
                heading: 'One receipt token is',
                align: 'end',
                cell: ({ receiptWorth, token }) => (
                  <BriefAmount raw={receiptWorth} places={token.decimals} unit={token.symbol} />
                ),
              },
              {
                heading: 'Do',
                cell: (earn) =>
                  signer === null ? (
                    ''
                  ) : (
                    <PlaygroundLink method="POST" path={composeDeposit(earn, signer)}>
                      Deposit
                    </PlaygroundLink>
                  ),
              },
            ]}
            rows={tokens}
            rowKey={({ receiptMint }) => receiptMint}
          />
        </div>
      )}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <RawAnswer raw={data} name="of the tokens" />
    </>
  );
}
