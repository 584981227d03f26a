import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useKnownTokens } from '../../../api/known-tokens.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { StackedRows } from '../frame/stacked-rows.tsx';
import { MintAmount } from '../frame/mint-amount.tsx';
import type { InviteView } from './model/parse-invites.ts';

/** Invites with what they hold, what became of them, and their transactions. */
export function InviteTable({
  caption,
  wallet,
  invites,
}: {
  readonly caption: string;
  /** The wallet that is looked at. */
  readonly wallet: string;
  readonly invites: readonly InviteView[];
}) {
  const mints = useMemo(() => [...new Set(invites.map(({ mint }) => mint))], [invites]);
  const tokens = useKnownTokens(mints);
  return (
    <StackedRows>
      <DataTable
        caption={caption}
        rows={invites}
        rowKey={({ address, createdAt }) => `${address} ${createdAt}`}
        columns={[
          {
            heading: 'Amount',
            align: 'end',
            cell: ({ amount, mint }) => <MintAmount raw={amount} mint={mint} tokens={tokens} />,
          },
          { heading: 'Invite', cell: ({ address }) => <AddressText address={address} /> },
          {
            heading: 'State',
            cell: ({ state, tone }) => <Badge tone={tone}>{escapeInvisible(state)}</Badge>,
          },
          { heading: 'From and to', cell: (invite) => <InviteParties invite={invite} wallet={wallet} /> },
          {
            heading: 'Created',
            cell: ({ createdAt, creation }) => <Moment at={createdAt} signature={creation} />,
          },
          {
            heading: 'Expires or ended',
            cell: (invite) =>
              invite.isOpen ? (
                <>
                  <Moment at={invite.expiresAt} signature={null} />
                  <TakeBack invite={invite} />
                </>
              ) : (
                <Moment at={invite.endedAt ?? invite.expiresAt} signature={invite.end} />
              ),
          },
        ]}
      />
    </StackedRows>
  );
}

function InviteParties({ invite, wallet }: { readonly invite: InviteView; readonly wallet: string }) {
  const { sender, receiver, isOpen } = invite;
  return (
    <>
      {sender === null ? 'unknown' : sender === wallet ? 'this wallet' : <AddressText address={sender} />} to{' '}
      {receiver === null ? (
        isOpen ? (
          'whoever has the code'
        ) : (
          'nobody'
        )
      ) : receiver === wallet ? (
        'this wallet'
      ) : (
        <AddressText address={receiver} />
      )}
    </>
  );
}

function Moment({ at, signature }: { readonly at: number | null; readonly signature: string | null }) {
  return (
    <>
      <span className="invite-table__time">{at === null ? 'unknown' : formatUtcTime(at)}</span>
      {signature === null ? null : <AddressText address={signature} link="transaction" />}
    </>
  );
}

function TakeBack({ invite: { address, sender } }: { readonly invite: InviteView }) {
  if (sender === null) return null;
  return (
    <Link
      to="/playground/$operationId"
      params={{ operationId: 'CraftClawback' }}
      search={{ body: JSON.stringify({ invitePDA: address, sender }) } as never}
    >
      Take it back in the playground
    </Link>
  );
}
