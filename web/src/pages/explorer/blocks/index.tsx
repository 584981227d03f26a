import './block-page.css';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useInstance } from '../../../api/instance.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { Amount } from '../../../parts/amount.tsx';
import { AddressText } from '../../../parts/address-text.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { formatUnixTime } from '../../../parts/transaction-view/field-text.ts';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';
import { ExplorerSearch } from '../frame/explorer-search.tsx';
import { type BlockTransaction, fetchBlock, type ReadBlock } from './block-data.ts';

const SLOT = /^\d{1,15}$/;
const SOL_DECIMALS = 9;

/** One block and its transactions. */
export function BlockPage() {
  const { slot: text = '' } = useParams({ strict: false });
  const slot = SLOT.test(text) ? Number(text) : null;
  return (
    <ExplorerFrame title={slot === null ? 'Block' : `Block of slot ${formatWhole(slot)}`}>
      <Panel>
        <ExplorerSearch key={text} initial={text} />
      </Panel>
      {slot === null ? (
        <EmptyNote>A slot is a whole number, such as 1200.</EmptyNote>
      ) : (
        <Block key={slot} slot={slot} />
      )}
    </ExplorerFrame>
  );
}

function Block({ slot }: { readonly slot: number }) {
  const { data: instance } = useInstance();
  const isOutside = instance?.network.kind === 'rpc';
  const { data, error, refetch } = useQuery({
    queryKey: ['block', slot, isOutside],
    queryFn: () => fetchBlock(slot, isOutside),
    enabled: instance !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <nav className="block-page__neighbours" aria-label="Slots beside this one">
        {slot === 0 ? null : <Neighbour slot={slot - 1}>← Slot {formatWhole(slot - 1)}</Neighbour>}
        <Neighbour slot={slot + 1}>Slot {formatWhole(slot + 1)} →</Neighbour>
      </nav>
      <Panel>
        {data === undefined ? (
          error === null ? (
            <Loading what="the block" />
          ) : (
            <ErrorNote error={error} onRetry={() => void refetch()} />
          )
        ) : data === null ? (
          <EmptyNote>This slot has no block, or it is no longer kept.</EmptyNote>
        ) : (
          <BlockFacts block={data} isOutside={isOutside} />
        )}
      </Panel>
      {data == null ? null : (
        <Panel title="Transactions">
          {data.transactions.length === 0 ? (
            <EmptyNote>The block is empty.</EmptyNote>
          ) : (
            <VirtualTable
              caption="The transactions of the block, in their order"
              columns={isOutside ? COLUMNS.slice(0, 2) : COLUMNS}
              rows={data.transactions.map((transaction, index) => ({ ...transaction, index }))}
              rowKey={({ index }) => index}
            />
          )}
        </Panel>
      )}
    </>
  );
}

function Neighbour({ slot, children }: { readonly slot: number; readonly children: ReactNode }) {
  return (
    <Link to="/explorer/block/$slot" params={{ slot: String(slot) }} preload={false}>
      {children}
    </Link>
  );
}

function BlockFacts({ block, isOutside }: { readonly block: ReadBlock; readonly isOutside: boolean }) {
  const { transactions, blockhash, previousBlockhash, parentSlot, blockHeight, blockTime } = block;
  const failed = transactions.filter(({ isFailed }) => isFailed === true).length;
  return (
    <StatList>
      <Stat
        label="Transactions"
        value={formatWhole(transactions.length)}
        note={isOutside ? 'whether they failed is on their pages' : `${formatWhole(failed)} failed`}
      />
      {blockTime === null ? null : <Stat label="Time" value={formatUnixTime(blockTime)} />}
      {blockHeight === null ? null : <Stat label="Block height" value={formatWhole(blockHeight)} />}
      <Stat label="Parent" value={<Neighbour slot={parentSlot}>slot {formatWhole(parentSlot)}</Neighbour>} />
      <Stat label="Blockhash" value={<Hash hash={blockhash} />} />
      <Stat label="Blockhash before" value={<Hash hash={previousBlockhash} />} />
    </StatList>
  );
}

function Hash({ hash }: { readonly hash: string }) {
  return (
    <span className="block-page__hash">
      <AddressText address={hash} link={null} copy={false} />
      <CopyButton text={hash} label="Copy the blockhash" />
    </span>
  );
}

const COLUMNS: readonly TableColumn<BlockTransaction & { readonly index: number }>[] = [
  { heading: '#', align: 'end', cell: ({ index }) => formatWhole(index + 1) },
  {
    heading: 'Transaction',
    cell: ({ signature }) => <AddressText address={signature} link="transaction" />,
  },
  {
    heading: 'Result',
    cell: ({ isFailed }) =>
      isFailed === null ? (
        ''
      ) : isFailed ? (
        <Badge tone="danger">failed</Badge>
      ) : (
        <Badge tone="good">landed</Badge>
      ),
  },
  {
    heading: 'Fee payer',
    cell: ({ feePayer }) => (feePayer === null ? '' : <AddressText address={feePayer} copy={false} />),
  },
  {
    heading: 'Fee',
    align: 'end',
    cell: ({ fee }) =>
      fee === null ? '' : <Amount raw={BigInt(Math.trunc(fee))} decimals={SOL_DECIMALS} symbol="SOL" />,
  },
];
