import { AddressText } from '../../../../parts/address-text.tsx';
import { VirtualTable } from '../../../../parts/live/virtual-table.tsx';
import { formatDuration, formatUtcTime } from '../../../../base/format-time.ts';
import { formatPrice } from '../../../../base/format-price.ts';
import { formatWhole } from '../../../../base/format-amount.ts';
import { BriefAmount, Dollars, Percentage } from '../../money/money-text.tsx';
import { TokenLink } from '../../../../parts/token-link.tsx';
import { AMOUNT_PLACES, type OpenOrder, PRICE_PLACES } from '../model/position.ts';

/** An order with its value. */
export interface ValuedOrder extends OpenOrder {
  readonly value: bigint | null;
}

/** Orders that wait or are filled in rounds. */
export function OrderTable({
  caption,
  orders,
}: {
  readonly caption: string;
  readonly orders: readonly ValuedOrder[];
}) {
  return (
    <VirtualTable
      caption={caption}
      columns={[
        {
          heading: 'Sells',
          cell: ({ initialInput, inputMint, inputLabel }) => (
            <Side amount={initialInput} mint={inputMint} label={inputLabel} />
          ),
        },
        {
          heading: 'For',
          cell: ({ expectedOutput, outputMint, outputLabel }) => (
            <Side amount={expectedOutput} mint={outputMint} label={outputLabel} />
          ),
        },
        ...(orders.some(({ recurring }) => recurring !== null)
          ? [
              {
                heading: 'Rounds',
                cell: ({ recurring }: ValuedOrder) => (
                  <span className="order-rounds">{describeRounds(recurring)}</span>
                ),
              },
            ]
          : []),
        {
          heading: 'Filled',
          align: 'end',
          cell: ({ filled }) => <Percentage millionths={filled} />,
        },
        {
          heading: 'Received',
          align: 'end',
          cell: ({ receivedOutput, outputLabel }) => (
            <BriefAmount raw={receivedOutput} places={AMOUNT_PLACES} unit={outputLabel} />
          ),
        },
        { heading: 'Value', align: 'end', cell: ({ value }) => <Dollars value={value} /> },
        {
          heading: 'Expires',
          cell: ({ expiresAt }) => (expiresAt === null ? 'never' : formatUtcTime(expiresAt)),
        },
        {
          heading: 'Order',
          cell: ({ account }) => (account === null ? '' : <AddressText address={account} copy={false} />),
        },
      ]}
      rows={orders}
      rowKey={(_, index) => index}
    />
  );
}

function Side({
  amount,
  mint,
  label,
}: {
  readonly amount: bigint | null;
  readonly mint: string | null;
  readonly label: string;
}) {
  return (
    <span className="asset-line__asset">
      {amount === null ? null : <BriefAmount raw={amount} places={AMOUNT_PLACES} unit="" />}
      {mint === null ? label : <TokenLink mint={mint} label={label} />}
    </span>
  );
}

function describeRounds(recurring: OpenOrder['recurring']): string {
  if (recurring === null) return '';
  const { cycles, intervalMs, lowest, highest } = recurring;
  const parts = [
    cycles === null ? '' : `${formatWhole(Math.trunc(cycles))} rounds`,
    intervalMs === null || intervalMs <= 0 ? '' : `every ${formatDuration(intervalMs)}`,
    lowest === null ? '' : `from a price of ${formatPrice(lowest, PRICE_PLACES)}`,
    highest === null ? '' : `up to a price of ${formatPrice(highest, PRICE_PLACES)}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
