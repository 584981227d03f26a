import { ManualTimers } from '../timers.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import type { Fetched, PositionFetcher } from '../../protocol/positions/fetcher.ts';
import type { TestView } from './wallet-view.ts';
import { openWalletReader } from '../../protocol/positions/wallet-reader.ts';

/** A field of an account: where it is, how it is written, and its value. */
export type LayoutField =
  | readonly [at: number, kind: 'address', value: Address]
  | readonly [at: number, kind: 'u64' | 'i64', value: bigint]
  | readonly [at: number, kind: 'u8', value: number];

/**
 * Writes fields at the offsets of a public layout, independently of the codecs that are tested.
 *
 * @param tag - The discriminator in hex, or nothing.
 */
export function writeAccountData(size: number, tag: string, fields: readonly LayoutField[]): Uint8Array {
  const data = new Uint8Array(size);
  const view = new DataView(data.buffer);
  data.set(Buffer.from(tag, 'hex'));
  for (const [at, kind, value] of fields) {
    if (kind === 'address') data.set(toAddressBytes(value), at);
    else if (kind === 'u8') data[at] = value;
    else if (kind === 'u64') view.setBigUint64(at, value, true);
    else view.setBigInt64(at, value, true);
  }
  return data;
}

/** Writes a token account of `amount` atoms. */
export function writeTestTokenAccount(mint: Address, amount: bigint): Uint8Array {
  return writeAccountData(165, '', [
    [0, 'address', mint],
    [64, 'u64', amount],
    [108, 'u8', 1],
  ]);
}

/** Runs one fetcher for a wallet. */
export function fetchForWallet(fetcher: PositionFetcher, view: TestView, owner: Address): Promise<Fetched> {
  const wallet = openWalletReader(view, owner, [fetcher], () => undefined, new ManualTimers());
  return fetcher.fetch(wallet);
}
