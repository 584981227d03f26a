import './account-view.css';
import { useParams } from '@tanstack/react-router';
import { escapeInvisible } from '../../../base/format-text.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { isAddress } from '../../../base/is-address.ts';
import { Panel } from '../../../parts/page.tsx';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';
import { ExplorerSearch } from '../frame/explorer-search.tsx';
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
      {isAddress(address) ? (
        <AccountView key={address} address={address} />
      ) : (
        <Panel>
          <p>This is no address: one has 32 bytes in base58. Correct it, or look for something else.</p>
          <ExplorerSearch key={address} initial={address} />
        </Panel>
      )}
    </ExplorerFrame>
  );
}
