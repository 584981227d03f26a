import type { AdminAnswer } from '../../../api/admin-operations.ts';
import { shortenAddress } from '../../../base/format-text.ts';

type NetworkFaults = AdminAnswer<'GET /admin/v1/network/faults'>;
type NextFault = AdminAnswer<'GET /admin/v1/network/faults/next'>['waiting'][number];
type CallFault = AdminAnswer<'GET /admin/v1/network/faults/rpc'>['waiting'][number];
type RequestFault = AdminAnswer<'GET /admin/v1/network/faults/requests'>['waiting'][number];

/** A fault of the whole network that is on, and the member of its body that sets it. */
export interface ActiveFault {
  readonly name: keyof NetworkFaults;
  readonly text: string;
}

/** Returns the faults of the network that are on, as sentences. */
export function listActiveFaults(faults: NetworkFaults): readonly ActiveFault[] {
  const { drop, delaySlots, reorderSlots, congestion, staleReads } = faults;
  const all: readonly (ActiveFault | null)[] = [
    drop > 0 ? { name: 'drop', text: `${formatPercent(drop)} of all attempts to land are lost.` } : null,
    delaySlots > 0
      ? { name: 'delaySlots', text: `Transactions wait ${countSlots(delaySlots)} before the first attempt.` }
      : null,
    reorderSlots > 0
      ? { name: 'reorderSlots', text: `Transactions wait up to ${countSlots(reorderSlots)} more, at random.` }
      : null,
    congestion === '0'
      ? null
      : {
          name: 'congestion',
          text: `The network is congested: what pays less than ${congestion} micro-lamports for a compute unit waits.`,
        },
    staleReads > 0 ? { name: 'staleReads', text: `Reads lag ${countSlots(staleReads)} behind.` } : null,
  ];
  return all.filter((fault) => fault !== null);
}

/** Says what happens to the next transactions. */
export function describeNextFault({ effect, count, wallet, program }: NextFault): string {
  const which = [
    wallet === null ? '' : ` of ${shortenAddress(wallet)}`,
    program === null ? '' : ` with ${shortenAddress(program)}`,
  ].join('');
  const what = { drop: 'dropped', delay: 'delayed', fail: 'failed' }[effect];
  return `The next ${countThings(count, 'transaction')}${which} ${count === 1 ? 'is' : 'are'} ${what}.`;
}

/** Says what happens to the next calls of the RPC. */
export function describeCallFault({ method, status, code, delayMs, count }: CallFault): string {
  const calls = method === '*' ? countThings(count, 'call') : `${countThings(count, 'call')} of ${method}`;
  return `The next ${calls} ${count === 1 ? 'is' : 'are'} ${describeStrike(status, code, delayMs)}.`;
}

/** Says what happens to the next requests. */
export function describeRequestFault({ path, status, delayMs, count }: RequestFault): string {
  return `The next ${countThings(count, 'request')} to ${path} ${count === 1 ? 'is' : 'are'} ${describeStrike(status, null, delayMs)}.`;
}

function describeStrike(status: number | null, code: number | null, delayMs: number): string {
  const refused =
    status !== null ? `answered with ${status}` : code !== null ? `answered with the error ${code}` : '';
  const delayed = delayMs > 0 ? `delayed by ${delayMs} ms` : '';
  return [delayed, refused].filter((part) => part !== '').join(' and ');
}

function countSlots(count: number): string {
  return countThings(count, 'slot', true);
}

function countThings(count: number, noun: string, withOne = false): string {
  if (count === 1) return withOne ? `1 ${noun}` : noun;
  return `${count} ${noun}s`;
}

function formatPercent(share: number): string {
  return `${Number((share * 100).toPrecision(6))}%`;
}
