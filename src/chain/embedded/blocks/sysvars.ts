import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../../solana/programs/message-fee.ts';
import {
  SYSVAR_CLOCK,
  SYSVAR_OWNER,
  SYSVAR_RECENT_BLOCKHASHES,
  SYSVAR_SLOT_HASHES,
  SYSVAR_SLOT_HISTORY,
} from '../../../solana/program-addresses.ts';
import type { Account } from '../../accounts.ts';
import { type Block, type OpenBlock, SLOTS_PER_EPOCH, SLOT_HASHES } from './blocks.ts';
import type { AddressedAccount } from '../../records/records.ts';

/** The lamports that the runtime gives sysvar accounts; they are exempt from rent. */
const SYSVAR_LAMPORTS = 1n;
const SLOT_HASHES_BYTES = 8 + SLOT_HASHES * 40;
const RECENT_BLOCKHASHES = 150;
const HISTORY_SLOTS = 1 << 20;
/** The layout is a tag, the number of 64-bit words, the words, the number of bits, and the next slot. */
const HISTORY_WORDS_AT = 9;
const HISTORY_BYTES = HISTORY_WORDS_AT + HISTORY_SLOTS / 8 + 16;

/** The data from which the sysvars of a slot are made. */
export interface SysvarSource {
  readonly clock: Pick<OpenBlock, 'slot' | 'time' | 'epochStart'>;
  /** Newest first. Surplus blocks are ignored. */
  readonly blocks: readonly Block[];
  /** Data of the SlotHistory sysvar. */
  readonly history: Uint8Array;
}

/** Returns the sysvar accounts that change with every slot, encoded as by `bincode`. */
export function encodeSlotSysvars({ clock, blocks, history }: SysvarSource): AddressedAccount[] {
  return [
    sysvar(SYSVAR_CLOCK, clockData(clock)),
    sysvar(SYSVAR_SLOT_HASHES, slotHashesData(blocks.slice(0, SLOT_HASHES))),
    sysvar(SYSVAR_RECENT_BLOCKHASHES, recentBlockhashesData(blocks.slice(0, RECENT_BLOCKHASHES))),
    sysvar(SYSVAR_SLOT_HISTORY, history),
  ];
}

export function epochOf(slot: bigint): bigint {
  return slot / SLOTS_PER_EPOCH;
}

function sysvar(address: Address, data: Uint8Array): AddressedAccount {
  const account: Account = {
    lamports: SYSVAR_LAMPORTS,
    owner: SYSVAR_OWNER,
    data,
    executable: false,
    rentEpoch: 0n,
  };
  return { address, account };
}

function clockData({ slot, time, epochStart }: SysvarSource['clock']): Uint8Array {
  const epoch = epochOf(slot);
  return new ByteWriter(40)
    .u64(slot)
    .i64(epochStart)
    .u64(epoch)
    .u64(epoch + 1n)
    .i64(time)
    .finish();
}

function slotHashesData(newest: readonly Block[]): Uint8Array {
  const writer = new ByteWriter(SLOT_HASHES_BYTES).u64(BigInt(newest.length));
  for (const block of newest) writer.u64(block.slot).bytes(block.hash);
  return writer.zeros(SLOT_HASHES_BYTES - writer.length).finish();
}

function recentBlockhashesData(newest: readonly Block[]): Uint8Array {
  const writer = new ByteWriter(8 + newest.length * 40).u64(BigInt(newest.length));
  for (const block of newest) writer.bytes(block.hash).u64(LAMPORTS_PER_SIGNATURE);
  return writer.finish();
}

/** Returns the data of the SlotHistory sysvar of a network whose only block is that of slot 0. */
export function encodeGenesisSlotHistory(): Uint8Array {
  const data = new Uint8Array(HISTORY_BYTES);
  const view = new DataView(data.buffer);
  data[0] = 1;
  view.setBigUint64(1, BigInt(HISTORY_SLOTS / 64), true);
  view.setBigUint64(HISTORY_BYTES - 16, BigInt(HISTORY_SLOTS), true);
  const history = new SlotHistory(data);
  history.add(0n);
  return history.data();
}

/** The SlotHistory sysvar: which of the last 2^20 slots have a block. */
export class SlotHistory {
  readonly #data: Uint8Array;
  readonly #view: DataView;

  /**
   * Continues from the data of the sysvar.
   *
   * @throws RangeError when the data does not have its size.
   */
  constructor(data: Uint8Array) {
    if (data.length !== HISTORY_BYTES) {
      throw new RangeError(`the slot history has ${HISTORY_BYTES} bytes, got ${data.length}`);
    }
    this.#data = new Uint8Array(data);
    this.#view = new DataView(this.#data.buffer);
  }

  /** Adds a slot. Slots must be added in ascending order; those left out count as skipped. */
  add(slot: bigint): void {
    const next = this.#view.getBigUint64(HISTORY_BYTES - 8, true);
    if (slot - next >= BigInt(HISTORY_SLOTS)) {
      this.#data.fill(0, HISTORY_WORDS_AT, HISTORY_BYTES - 16);
    } else {
      for (let skipped = next; skipped < slot; skipped++) this.#setBit(skipped, false);
    }
    this.#setBit(slot, true);
    this.#view.setBigUint64(HISTORY_BYTES - 8, slot + 1n, true);
  }

  /** Returns a copy in the sysvar's layout. */
  data(): Uint8Array {
    return this.#data.slice();
  }

  /** Like `data`, but without the newest block. */
  dataBefore({ slot, parent }: Pick<Block, 'slot' | 'parent'>): Uint8Array {
    const before = new SlotHistory(this.#data);
    before.#setBit(slot, false);
    before.#view.setBigUint64(HISTORY_BYTES - 8, slot === 0n ? 0n : parent + 1n, true);
    return before.#data;
  }

  #setBit(slot: bigint, present: boolean): void {
    const bit = Number(slot % BigInt(HISTORY_SLOTS));
    const at = HISTORY_WORDS_AT + (bit >> 3);
    const mask = 1 << (bit & 7);
    const byte = this.#data[at] ?? 0;
    this.#data[at] = present ? byte | mask : byte & ~mask;
  }
}
