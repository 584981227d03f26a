import './account-view.css';
import { useParams } from '@tanstack/react-router';
import { escapeInvisible } from '../../../base/format-text.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';
import { AccountView } from './account-view.tsx';

/** One account. */
export function AccountPage() {
  const { address = '' } = useParams({ strict: false });
  return (
    <ExplorerFrame
      title="Account"
      lead={
        <span className="account-view__address">
          <code>{escapeInvisible(address)}</code> <CopyButton text={address} label="Copy the address" />
        </span>
      }
    >
      <AccountView key={address} address={address} />
    </ExplorerFrame>
  );
}
