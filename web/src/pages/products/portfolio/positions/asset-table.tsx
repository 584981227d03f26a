import { AddressText } from '../../../../parts/address-text.tsx';
import { VirtualTable } from '../../../../parts/live/virtual-table.tsx';
import { BriefAmount, DollarPrice, Dollars } from '../../money/money-text.tsx';
import { TokenLink } from '../../../../parts/token-link.tsx';
import { AMOUNT_PLACES, type HeldAsset, PRICE_PLACES } from '../model/position.ts';
import { AssetNotes } from './asset-notes.tsx';

/** The assets of one or several positions. */
export function AssetTable({
  caption,
  assets,
}: {
  readonly caption: string;
  readonly assets: readonly HeldAsset[];
}) {
  return (
    <VirtualTable
      caption={caption}
      columns={[
        { heading: 'Asset', cell: (asset) => <AssetName asset={asset} /> },
        {
          heading: 'Amount',
          align: 'end',
          cell: ({ amount, kind, label }) => (
            <BriefAmount raw={amount} places={AMOUNT_PLACES} unit={kind === 'token' ? label : ''} />
          ),
        },
        {
          heading: 'Price',
          align: 'end',
          cell: ({ price }) => <DollarPrice price={price} places={PRICE_PLACES} />,
        },
        { heading: 'Value', align: 'end', cell: ({ value }) => <Dollars value={value} /> },
        ...(assets.some(({ notes }) => notes.length > 0)
          ? [{ heading: 'Notes', cell: ({ notes }: HeldAsset) => <AssetNotes notes={notes} /> }]
          : []),
        ...(assets.some(({ account }) => account !== null)
          ? [{ heading: 'Account', cell: ({ account }: HeldAsset) => <AccountCell account={account} /> }]
          : []),
      ]}
      rows={assets}
      rowKey={(_, index) => index}
    />
  );
}

function AccountCell({ account }: { readonly account: string | null }) {
  return account === null ? '' : <AddressText address={account} copy={false} />;
}

/** What an asset is called, with a link to its page. */
export function AssetName({ asset }: { readonly asset: HeldAsset }) {
  const { address, label, kind } = asset;
  if (address === null) return label;
  return kind === 'token' ? (
    <TokenLink mint={address} label={label} />
  ) : (
    <AddressText address={address} label={label} copy={false} />
  );
}

/** Assets in one line, such as those of a pool. */
export function AssetLine({ assets }: { readonly assets: readonly HeldAsset[] }) {
  return (
    <span className="asset-line">
      {assets.map((asset, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two assets of a position can be equal.
        <span key={index} className="asset-line__asset">
          <BriefAmount raw={asset.amount} places={AMOUNT_PLACES} unit="" />
          <AssetName asset={asset} />
        </span>
      ))}
    </span>
  );
}
