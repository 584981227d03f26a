import { useParams } from '@tanstack/react-router';
import { AddressText } from '../../../../parts/address-text.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { isAddress } from '../../../../base/is-address.ts';
import { ExplorerFrame } from '../../frame/explorer-frame.tsx';
import { TokenView } from './token-view.tsx';

/** One token. */
export function TokenPage() {
  const { mint = '' } = useParams({ strict: false });
  return (
    <ExplorerFrame title="Token" lead={<AddressText address={mint} link="account" />}>
      {isAddress(mint) ? (
        <TokenView key={mint} mint={mint} />
      ) : (
        <EmptyNote>This is no mint: an address has 32 bytes in base58.</EmptyNote>
      )}
    </ExplorerFrame>
  );
}
