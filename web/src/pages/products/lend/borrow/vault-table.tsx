import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatPrice } from '../../../../base/format-price.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { PlaygroundLink, RawAnswer } from '../../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { FilledBar } from '../../frame/filled-bar.tsx';
import { BriefAmount, Percentage } from '../../money/money-text.tsx';
import { TokenLink } from '../../../../parts/token-link.tsx';
import { composeLoan } from '../model/actions.ts';
import { type BorrowMarket, type BorrowVault, ORACLE_PLACES, readBorrowVaults } from '../model/borrow.ts';

const REFRESH_MS = 20_000;

/** The vaults of a market: their terms, and what they have left to lend. */
export function VaultTable({
  market,
  signer,
}: {
  readonly market: BorrowMarket;
  readonly signer: string | null;
}) {
  const path = `/lend/v1/borrow/vaults${market === 'main' ? '' : `?market=${market}`}`;
  const { data, error, refetch } = useRawQuery<unknown>(path, { refetchMs: REFRESH_MS });
  if (data === undefined) {
    return error === null ? (
      <Loading what="the vaults" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  const vaults = readBorrowVaults(data.exact);
  return (
    <>
      {vaults.length === 0 ? (
        <EmptyNote>This market has no vaults on this network.</EmptyNote>
      ) : (
        <div className="lend-table">
          <DataTable
            caption="Vaults"
            columns={[
              { heading: 'Vault', cell: (vault) => <VaultName vault={vault} /> },
              { heading: 'Oracle price', align: 'end', cell: (vault) => describePrice(vault) },
              {
                heading: 'Costs a year',
                align: 'end',
                cell: ({ borrowRate }) => <Percentage millionths={borrowRate} />,
              },
              {
                heading: 'Collateral earns',
                align: 'end',
                cell: ({ supplyRate }) => <Percentage millionths={supplyRate} />,
              },
              {
                heading: 'Borrow up to',
                align: 'end',
                cell: ({ collateralFactor }) => <Percentage millionths={collateralFactor} />,
              },
              {
                heading: 'Liquidated from',
                align: 'end',
                cell: ({ threshold }) => <Percentage millionths={threshold} />,
              },
              {
                heading: 'Penalty',
                align: 'end',
                cell: ({ penalty }) => <Percentage millionths={penalty} />,
              },
              { heading: 'Lent out', cell: ({ utilisation }) => <FilledBar millionths={utilisation} /> },
              {
                heading: 'Left to borrow',
                align: 'end',
                cell: ({ borrowable, debt }) => (
                  <BriefAmount raw={borrowable} places={debt.decimals} unit={debt.symbol} />
                ),
              },
              {
                heading: 'Do',
                cell: (vault) =>
                  signer === null ? (
                    ''
                  ) : (
                    <PlaygroundLink method="POST" path={composeLoan(vault, market, signer)}>
                      Borrow
                    </PlaygroundLink>
                  ),
              },
            ]}
            rows={vaults}
            rowKey={({ id }) => id}
          />
        </div>
      )}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <RawAnswer raw={data} name="of the vaults" />
    </>
  );
}

function VaultName({ vault: { id, address, collateral, debt } }: { readonly vault: BorrowVault }) {
  return (
    <span className="vault-name">
      {address === null ? id : <AddressText address={address} label={String(id)} copy={false} />}
      <TokenLink mint={collateral.mint} label={collateral.symbol} /> →{' '}
      <TokenLink mint={debt.mint} label={debt.symbol} />
    </span>
  );
}

function describePrice({ price, debt }: BorrowVault): string {
  return price === null ? 'none usable' : `${formatPrice(price, ORACLE_PLACES)} ${debt.symbol}`;
}
