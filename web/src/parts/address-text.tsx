import './address-text.css';
import { Link } from '@tanstack/react-router';
import { shortenAddress } from '../base/format-text.ts';
import { CopyButton } from './copy-button.tsx';

/** An address or a signature: shortened, whole in its title, copied by a button, and a link into the explorer. */
export function AddressText({
  address,
  label = null,
  link = 'account',
  copy = true,
}: {
  readonly address: string;
  /** Shown instead of the shortened address. */
  readonly label?: string | null;
  /** What the explorer is asked for; null: it is no link. Default: `account`. */
  readonly link?: 'account' | 'transaction' | null;
  readonly copy?: boolean;
}) {
  const shown = <span title={address}>{label ?? shortenAddress(address)}</span>;
  return (
    <span className={label === null ? 'address-text address-text--mono' : 'address-text'}>
      {link === 'account' ? (
        <Link to="/explorer/account/$address" params={{ address }} preload={false}>
          {shown}
        </Link>
      ) : link === 'transaction' ? (
        <Link to="/explorer/tx/$signature" params={{ signature: address }} preload={false}>
          {shown}
        </Link>
      ) : (
        shown
      )}
      {copy ? <CopyButton text={address} label={`Copy ${label ?? 'the address'}`} /> : null}
    </span>
  );
}
