import './account-facts.css';
import { AddressText } from '../../../parts/address-text.tsx';
import { Amount } from '../../../parts/amount.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { isAddress } from '../../../base/is-address.ts';
import { toWords } from '../../../base/to-words.ts';
import type { AccountState } from './account-state.ts';

const SOL_DECIMALS = 9;

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['11111111111111111111111111111111', 'System program'],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'Token program'],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 'Token-2022 program'],
  ['BPFLoaderUpgradeab1e11111111111111111111111', 'Upgradeable loader'],
  ['BPFLoader2111111111111111111111111111111111', 'Loader'],
  ['NativeLoader1111111111111111111111111111111', 'Native loader'],
]);

/** What an account is, and what the layout of its program says. */
export function AccountFacts({ state }: { readonly state: AccountState }) {
  const { lamports, owner, executable, bytes, kind, parsed } = state;
  const decimals = parsed.find(({ name }) => name === 'decimals')?.value;
  return (
    <dl className="account-facts">
      <div>
        <dt>Balance</dt>
        <dd>
          <Amount raw={lamports} decimals={SOL_DECIMALS} symbol="SOL" />
        </dd>
      </div>
      <div>
        <dt>Owner</dt>
        <dd>
          <AddressText address={owner} label={PROGRAMS.get(owner) ?? null} copy={false} />
        </dd>
      </div>
      <div>
        <dt>Kind</dt>
        <dd>{executable ? <Badge tone="accent">program</Badge> : toWords(kind ?? describeKind(state))}</dd>
      </div>
      <div>
        <dt>Data</dt>
        <dd>{formatWhole(bytes)} bytes</dd>
      </div>
      {parsed.map(({ name, value }) => (
        <div key={name}>
          <dt>{toWords(name)}</dt>
          <dd>
            {name === 'supply' && decimals !== undefined ? (
              <Amount raw={value} decimals={Number(decimals)} symbol={null} />
            ) : isAddress(value) ? (
              <AddressText address={value} copy={false} />
            ) : (
              escapeInvisible(value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function describeKind({ owner, bytes }: AccountState): string {
  return bytes === 0 && PROGRAMS.get(owner) === 'System program' ? 'wallet' : 'account of a program';
}
