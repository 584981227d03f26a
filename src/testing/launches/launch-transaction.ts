import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import {
  METEORA_DBC_EVENT_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** What a call begins with by which the program records `EvtInitializePool`. */
const POOL_INITIALIZED = Buffer.from('e445a52e51cb9a1de432f655cb428625', 'hex');

/** Returns a transaction in which the program records the launch of a pool by a creator. */
export function createLaunchTransaction({
  signature,
  slot,
  pool,
  creator,
}: Pick<LandedTransaction, 'signature' | 'slot'> & {
  readonly pool: Address;
  readonly creator: Address;
}): LandedTransaction {
  // Neither the configuration nor the mint is read.
  const event = new ByteWriter().bytes(POOL_INITIALIZED).address(pool).address(pool).address(creator);
  const data = event.address(pool).u8(0).u64(0n).finish();
  const call = { program: METEORA_DBC_PROGRAM, accounts: [METEORA_DBC_EVENT_AUTHORITY], data };
  return {
    signature,
    slot,
    wire: new Uint8Array(),
    blockTime: 1_700_000_000n,
    error: null,
    fee: 5_000n,
    unitsConsumed: 1n,
    logs: [],
    accounts: [],
    preBalances: [],
    postBalances: [],
    preTokenBalances: [],
    postTokenBalances: [],
    instructions: [{ program: METEORA_DBC_PROGRAM, accounts: [], data: new Uint8Array(8) }],
    calls: [{ instruction: 0, depth: 2, call }],
  };
}
