import { Link } from '@tanstack/react-router';
import { Amount } from '../../../parts/amount.tsx';
import { Button } from '../../../parts/button.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import type { WalletBalances } from '../../../wallet/balances.ts';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';
import type { SwapIntent, SwapRunState } from './swap-run.ts';
import { formatSwapAmount, SWAP_TOKENS, toRoutesSearch } from './tokens.ts';

/** What the swap has changed, and where to look at it. */
export function SwapResult({
  state,
  onSwap,
}: {
  readonly state: SwapRunState;
  readonly onSwap: (intent: SwapIntent) => void;
}) {
  const { intent, found, isRunning } = state;
  const { execution, before, after } = found;
  if (intent === null || execution === null || before === null || after === null) return null;
  const paid = execution.totalInputAmount ?? intent.amount;
  const received = execution.totalOutputAmount ?? found.order?.outAmount ?? '0';
  const { inputMint, outputMint } = intent;
  const signature = execution.signature ?? '';
  return (
    <section className="swap-result" aria-label="The result of the swap">
      <p className="swap-result__headline" role="status">
        {formatSwapAmount(inputMint, paid)} became {formatSwapAmount(outputMint, received)}
      </p>
      <DataTable
        caption="Balances before and after the swap"
        columns={COLUMNS}
        rows={toRows(before, after)}
        rowKey={(row) => row.mint}
      />
      <p className="swap-result__remark">The change of SOL includes the fees of the transaction.</p>
      <div className="swap-result__links">
        <Link className="button button--primary" to="/explorer/tx/$signature" params={{ signature }}>
          Read the transaction
        </Link>
        <Link
          className="button button--plain"
          to="/routes"
          search={toRoutesSearch(inputMint, outputMint, intent.amount)}
        >
          Quote it again and see the route
        </Link>
        <Button
          onClick={() => onSwap({ inputMint: outputMint, outputMint: inputMint, amount: BigInt(received) })}
          busy={isRunning}
        >
          Swap {formatSwapAmount(outputMint, received)} back
        </Button>
      </div>
    </section>
  );
}

interface BalanceRow {
  readonly mint: keyof typeof SWAP_TOKENS;
  readonly before: bigint;
  readonly after: bigint;
}

const COLUMNS = [
  { heading: 'Token', cell: (row: BalanceRow) => SWAP_TOKENS[row.mint].symbol },
  { heading: 'Before', align: 'end', cell: (row: BalanceRow) => renderAmount(row, row.before) },
  { heading: 'After', align: 'end', cell: (row: BalanceRow) => renderAmount(row, row.after) },
  {
    heading: 'Change',
    align: 'end',
    cell: (row: BalanceRow) => <strong>{renderAmount(row, row.after - row.before, true)}</strong>,
  },
] as const;

function renderAmount({ mint }: BalanceRow, raw: bigint, signed = false) {
  return <Amount raw={raw} decimals={SWAP_TOKENS[mint].decimals} symbol={null} signed={signed} />;
}

function toRows(before: WalletBalances, after: WalletBalances): readonly BalanceRow[] {
  return [
    { mint: SOL_MINT, before: before.lamports, after: after.lamports },
    {
      mint: USDC_MINT,
      before: before.tokens.get(USDC_MINT) ?? 0n,
      after: after.tokens.get(USDC_MINT) ?? 0n,
    },
  ];
}
