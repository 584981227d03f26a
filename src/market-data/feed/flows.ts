import {
  TRANSFER_CHECKED_WITH_FEE,
  TRANSFER_FEE_EXTENSION,
} from '../../solana/programs/token/transfer-fee.ts';
import type { LandedCall } from '../../chain/landed-transactions.ts';
import type { ExecutedCall } from '../../chain/executed-transactions.ts';
import type { Address } from '../../solana/address.ts';
import {
  isTokenProgram,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../solana/program-addresses.ts';

/** Tokens or lamports that one call moved. A mint stands for what it issues and takes back. */
export interface AssetFlow {
  readonly from: Address;
  readonly to: Address;
  /** What left `from`. */
  readonly amount: bigint;
  /** What a transfer fee withheld of it; null if the token may have such a fee and the call does not tell it. */
  readonly fee: bigint | null;
  /** Who signed for it. */
  readonly authority: Address;
}

const TRANSFER = 3;
const MINT_TO = 7;
const BURN = 8;
const TRANSFER_CHECKED = 12;
const MINT_TO_CHECKED = 14;
const BURN_CHECKED = 15;
/** The system program's `transfer` and the stake program's `withdraw`: a tag of four bytes before the lamports. */
const SYSTEM_TRANSFER = 2;
const STAKE_WITHDRAW = 4;

/** Returns null for a call that moves nothing. */
export function decodeFlow(call: LandedCall): AssetFlow | null {
  if (isTokenProgram(call.program)) return tokenFlow(call);
  if (call.program === SYSTEM_PROGRAM) return lamportsFlow(call, SYSTEM_TRANSFER);
  if (call.program === STAKE_PROGRAM) return lamportsFlow(call, STAKE_WITHDRAW);
  return null;
}

function tokenFlow({ program, accounts, data }: LandedCall): AssetFlow | null {
  const [first, second, third, fourth] = accounts;
  switch (data[0]) {
    case TRANSFER:
      return flow(first, second, third, data, 1);
    case TRANSFER_CHECKED: {
      const moved = flow(first, third, fourth, data, 1);
      return moved === null || program !== TOKEN_2022_PROGRAM ? moved : { ...moved, fee: null };
    }
    case MINT_TO:
    case MINT_TO_CHECKED:
      return flow(first, second, third, data, 1);
    case BURN:
    case BURN_CHECKED:
      return flow(first, second, third, data, 1);
    case TRANSFER_FEE_EXTENSION: {
      if (data[1] !== TRANSFER_CHECKED_WITH_FEE || data.length < 19) return null;
      const moved = flow(first, third, fourth, data, 2);
      return moved === null ? null : { ...moved, fee: u64(data, 11) };
    }
    default:
      return null;
  }
}

function lamportsFlow({ accounts, data }: LandedCall, tag: number): AssetFlow | null {
  if (data.length < 12 || data[0] !== tag || data[1] !== 0 || data[2] !== 0 || data[3] !== 0) return null;
  return flow(accounts[0], accounts[1], accounts[0], data, 4);
}

function flow(
  from: Address | undefined,
  to: Address | undefined,
  authority: Address | undefined,
  data: Uint8Array,
  amountAt: number,
): AssetFlow | null {
  if (from === undefined || to === undefined || authority === undefined) return null;
  if (data.length < amountAt + 8) return null;
  return { from, to, amount: u64(data, amountAt), fee: 0n, authority };
}

function u64(data: Uint8Array, at: number): bigint {
  return new DataView(data.buffer, data.byteOffset).getBigUint64(at, true);
}

/** Returns everything that a call moved, itself or by calls of its own, in order. */
export function collectFlows(calls: readonly ExecutedCall[], index: number): readonly AssetFlow[] {
  const outer = calls[index];
  const flows: AssetFlow[] = [];
  if (outer === undefined) return flows;
  for (let at = index + 1; at < calls.length; at++) {
    const call = calls[at];
    if (call === undefined || call.depth <= outer.depth) break;
    const moved = decodeFlow(call);
    if (moved !== null) flows.push(moved);
  }
  return flows;
}

/** Returns the flow of the largest amount; null without flows. */
export function findLargestFlow(flows: readonly AssetFlow[]): AssetFlow | null {
  let found: AssetFlow | null = null;
  for (const each of flows) if (found === null || each.amount > found.amount) found = each;
  return found;
}
