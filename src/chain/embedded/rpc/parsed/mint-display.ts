import type { Address } from '../../../../solana/address.ts';
import { LayoutInvalid } from '../../../../solana/codec/byte-reader.ts';
import { isTokenProgram, WRAPPED_SOL_MINT } from '../../../../solana/program-addresses.ts';
import { type MintDisplay, getMintDisplay } from '../../../../solana/programs/token/display-amount.ts';
import { decodeMint } from '../../../../solana/programs/token/mint.ts';
import type { Account } from '../../../accounts.ts';
import type { Commitment } from '../../../chain.ts';
import type { Bank } from '../../ledger/bank.ts';

/** Returns how to format amounts of a mint, or null when there is no such mint. */
export type MintDisplays = (mint: Address) => MintDisplay | null;

const WRAPPED_SOL: MintDisplay = { decimals: 9, scale: null };

/** Returns a cached lookup for one answer. `overwrites` replace accounts by their states after a simulation. */
export function createMintDisplayLookup(
  bank: Bank,
  commitment: Commitment,
  overwrites: ReadonlyMap<Address, Account | null> = new Map(),
): MintDisplays {
  const read = new Map<Address, MintDisplay | null>([[WRAPPED_SOL_MINT, WRAPPED_SOL]]);
  return (address) => {
    const known = read.get(address);
    if (known !== undefined) return known;
    const overwrite = overwrites.get(address);
    const account = overwrite === undefined ? bank.getAccount(address, commitment) : overwrite;
    const display = account === null ? null : displayOfAccount(account, getChainTime(bank, commitment));
    read.set(address, display);
    return display;
  };
}

/** Returns the time, in Unix seconds, of the newest block of the commitment. */
export function getChainTime(bank: Bank, commitment: Commitment): bigint {
  return bank.blockTime(bank.slot(commitment)) ?? 0n;
}

function displayOfAccount({ owner, data }: Account, unixTimestamp: bigint): MintDisplay | null {
  if (!isTokenProgram(owner)) return null;
  try {
    return getMintDisplay(decodeMint(data), unixTimestamp);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
