import { Link } from '@tanstack/react-router';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { formatWhole } from '../../../../base/format-amount.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { PlaygroundLink, RawAnswer } from '../../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { HealthBar } from '../../money/health-bar.tsx';
import { BriefAmount, Dollars, Percentage } from '../../money/money-text.tsx';
import { composeClosing, composeTopUp } from '../model/actions.ts';
import { type BorrowMarket, type BorrowPosition, readBorrowPositions } from '../model/borrow.ts';
import { describeLoanHealth, listLimits } from '../model/describe-health.ts';
import { computeLendValue, type LendToken } from '../model/earn.ts';
import { computeLoanHealth } from '../model/health.ts';

const LIVE_REFRESH_MS = 5_000;
/** Loans that are shown. Anybody can open some for a wallet. */
const MAX_SHOWN = 100;

/** The loans of a wallet, with the health of each. */
export function BorrowPositions({
  address,
  market,
}: {
  readonly address: string;
  readonly market: BorrowMarket;
}) {
  const query = new URLSearchParams({ users: address, ...(market === 'main' ? {} : { market }) });
  const { data, error, refetch } = useRawQuery<unknown>(`/lend/v1/borrow/positions?${query}`, {
    refetchMs: LIVE_REFRESH_MS,
  });
  if (data === undefined) {
    return error === null ? (
      <Loading what="the loans" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  const loans = readBorrowPositions(data.exact);
  return (
    <>
      {loans.length === 0 ? (
        <EmptyNote>
          This wallet has no loan in this market. Choose <b>Borrow</b> at one of the vaults below. Test tokens
          for a wallet of this browser are on the <Link to="/">start page</Link>.
        </EmptyNote>
      ) : (
        <ul className="loan-cards">
          {loans.slice(0, MAX_SHOWN).map((loan) => (
            <li key={`${loan.vault.id}-${loan.id}`} className="loan-cards__card">
              <LoanCard loan={loan} market={market} signer={address} />
            </li>
          ))}
        </ul>
      )}
      {loans.length > MAX_SHOWN ? (
        <p>{formatWhole(loans.length - MAX_SHOWN)} more. The raw answer has them all.</p>
      ) : null}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <RawAnswer raw={data} name="of the loans" />
    </>
  );
}

function LoanCard({
  loan,
  market,
  signer,
}: {
  readonly loan: BorrowPosition;
  readonly market: BorrowMarket;
  readonly signer: string;
}) {
  const { vault, supplied, borrowed, mint, id, isLiquidated, takenCollateral, paidDebt } = loan;
  const health = computeLoanHealth(loan);
  const { word, text, tone } = describeLoanHealth(loan, health);
  return (
    <>
      <h3 className="loan-cards__name">
        <span>
          {vault.collateral.symbol} / {vault.debt.symbol}, loan {mint === null ? id : ''}
          {mint === null ? null : <AddressText address={mint} label={String(id)} copy={false} />}
        </span>
        <Badge tone={tone}>{word}</Badge>
      </h3>
      <dl className="loan-cards__sides">
        <LoanSide name="Collateral" amount={supplied} token={vault.collateral} />
        <LoanSide name="Debt" amount={borrowed} token={vault.debt} />
        <div>
          <dt>Costs a year</dt>
          <dd>
            <Percentage millionths={vault.borrowRate} />
          </dd>
        </div>
      </dl>
      <HealthBar
        filled={
          health.ratio === null ? (health.state === 'unknown' ? null : 1) : Number(health.ratio) / 1_000_000
        }
        tone={tone}
        text={text}
        marks={listLimits(vault)}
      />
      {isLiquidated ? (
        <p className="loan-cards__note">
          Liquidated since the owner last changed it:{' '}
          <BriefAmount
            raw={takenCollateral}
            places={vault.collateral.decimals}
            unit={vault.collateral.symbol}
          />{' '}
          were taken for <BriefAmount raw={paidDebt} places={vault.debt.decimals} unit={vault.debt.symbol} />{' '}
          of debt.
        </p>
      ) : null}
      <p className="lend-actions">
        <PlaygroundLink method="POST" path={composeTopUp(loan, market, signer)}>
          Add collateral
        </PlaygroundLink>
        <PlaygroundLink method="POST" path={composeClosing(loan, market, signer)}>
          Repay and close
        </PlaygroundLink>
      </p>
    </>
  );
}

function LoanSide({
  name,
  amount,
  token,
}: {
  readonly name: string;
  readonly amount: bigint;
  readonly token: LendToken;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <BriefAmount raw={amount} places={token.decimals} unit={token.symbol} />{' '}
        <span className="loan-cards__value">
          <Dollars value={computeLendValue(amount, token)} />
        </span>
      </dd>
    </div>
  );
}
