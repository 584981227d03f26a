import { useParams } from '@tanstack/react-router';
import { AddressText } from '../../../parts/address-text.tsx';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';
import { AccountView } from './account-view.tsx';

/** One account. */
export function AccountPage() {
  const { address = '' } = useParams({ strict: false });
  return (
    <ExplorerFrame title="Account" lead={<AddressText address={address} link={null} />}>
      <AccountView key={address} address={address} />
    </ExplorerFrame>
  );
}
