import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  SYSTEM_PROGRAM,
} from '../../solana/program-addresses.ts';
import type { LimitOrder } from './layout.ts';
import {
  deriveLimitOrder,
  deriveOrderReserve,
  LIMIT_ORDER_EVENT_AUTHORITY,
  LIMIT_ORDER_FEE,
  LIMIT_ORDER_PROGRAM,
} from './program.ts';

/** The discriminators of the instructions, by the names of the interface. */
export const LIMIT_ORDER_TAGS = {
  initializeOrder: Uint8Array.of(0x85, 0x6e, 0x4a, 0xaf, 0x70, 0x9f, 0xf5, 0x9f),
  cancelOrder: Uint8Array.of(0x5f, 0x81, 0xed, 0xf0, 0x08, 0x31, 0xdf, 0x84),
  preFlashFillOrder: Uint8Array.of(0xf0, 0x2f, 0x99, 0x44, 0x0d, 0xbe, 0xe1, 0x2a),
  flashFillOrder: Uint8Array.of(0xfc, 0x68, 0x12, 0x86, 0xa4, 0x4e, 0x12, 0x8c),
} as const;

/** One mint of an order. */
export interface OrderToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

export interface NewLimitOrder {
  readonly payer: Address;
  readonly maker: Address;
  readonly input: OrderToken;
  readonly output: OrderToken;
  /** The token account that fees are paid to. Null for the program's own. */
  readonly referral: Address | null;
  readonly uniqueId: bigint;
  /** Atoms that the order sells, and for which it does. */
  readonly making: bigint;
  readonly taking: bigint;
  /** The first Unix second in which the order has expired, or null. */
  readonly expiredAt: bigint | null;
  /** Null for the program's normal rate. */
  readonly feeBps: number | null;
  /** Null writes the arguments without a slippage, as the older interface has them. */
  readonly slippageBps: number | null;
}

/**
 * Builds `initialize_order`: the maker deposits out of its associated token account, and the payer pays the rent of the order
 * and of its reserve.
 */
export function createInitializeOrder(order: NewLimitOrder): Instruction {
  const { payer, maker, input, output, referral } = order;
  const { address } = deriveLimitOrder(maker, order.uniqueId);
  return {
    programAddress: LIMIT_ORDER_PROGRAM,
    accounts: [
      writableSigner(payer),
      readonlySigner(maker),
      writable(address),
      writable(deriveOrderReserve(address, input.mint, input.tokenProgram)),
      writable(deriveAssociatedTokenAddress(maker, input.mint, input.tokenProgram)),
      readonly(LIMIT_ORDER_FEE),
      readonly(referral ?? LIMIT_ORDER_PROGRAM),
      readonly(input.mint),
      readonly(output.mint),
      readonly(input.tokenProgram),
      readonly(output.tokenProgram),
      readonly(SYSTEM_PROGRAM),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      ...EVENT_ACCOUNTS,
    ],
    data: encodeNewOrder(order),
  };
}

function encodeNewOrder({ uniqueId, making, taking, expiredAt, feeBps, slippageBps }: NewLimitOrder) {
  const to = new ByteWriter().bytes(LIMIT_ORDER_TAGS.initializeOrder).u64(uniqueId).u64(making).u64(taking);
  if (expiredAt === null) to.u8(0);
  else to.u8(1).i64(expiredAt);
  if (feeBps === null) to.u8(0);
  else to.u8(1).u16(feeBps);
  if (slippageBps !== null) to.u8(1).u16(slippageBps);
  return to.finish();
}

/** An order with its address, as the instructions on an order need it. */
export type PlacedLimitOrder = Pick<
  LimitOrder,
  | 'maker'
  | 'inputMint'
  | 'outputMint'
  | 'inputTokenProgram'
  | 'outputTokenProgram'
  | 'inputReserve'
  | 'feeAccount'
> & { readonly address: Address };

/**
 * Builds `cancel_order`.
 * @param signer - The maker, or anybody after the order's expiry.
 * @param destination - The maker's token account for the input; the associated one if somebody else signs. Null returns
 *   wrapped SOL as SOL itself.
 */
export function createCancelOrder(
  order: PlacedLimitOrder,
  signer: Address,
  destination: Address | null,
): Instruction {
  return {
    programAddress: LIMIT_ORDER_PROGRAM,
    accounts: [
      readonlySigner(signer),
      writable(order.maker),
      writable(order.address),
      writable(order.inputReserve),
      optional(destination),
      readonly(order.inputMint),
      readonly(order.inputTokenProgram),
      ...EVENT_ACCOUNTS,
    ],
    data: LIMIT_ORDER_TAGS.cancelOrder,
  };
}

/**
 * Builds `pre_flash_fill_order`, by which a taker borrows a part of the input. The next instruction of the program in the
 * transaction must be the taker's `flash_fill_order` of the same order.
 * @param destination - A token account of the taker's for the input.
 * @param making - Atoms of the input.
 */
export function createPreFlashFill(
  order: PlacedLimitOrder,
  taker: Address,
  destination: Address,
  making: bigint,
): Instruction {
  return {
    programAddress: LIMIT_ORDER_PROGRAM,
    accounts: [
      readonlySigner(taker),
      writable(order.address),
      writable(order.inputReserve),
      writable(destination),
      readonly(order.inputMint),
      readonly(order.inputTokenProgram),
      readonly(SYSVAR_INSTRUCTIONS),
    ],
    data: new ByteWriter(16).bytes(LIMIT_ORDER_TAGS.preFlashFillOrder).u64(making).finish(),
  };
}

/** How a taker pays for what it borrowed. */
export interface FlashFillPayment {
  readonly taker: Address;
  /** A token account of the taker's for the output. Null pays in SOL itself. */
  readonly source: Address | null;
  /** The maker's associated token account for the output. Null pays SOL itself to the maker, which needs a null source. */
  readonly destination: Address | null;
  /** The most that the taker pays, with the fee, in atoms of the output. */
  readonly maximum: bigint;
}

/** Builds `flash_fill_order`, by which a taker pays for what it borrowed. */
export function createFlashFill(order: PlacedLimitOrder, payment: FlashFillPayment): Instruction {
  return {
    programAddress: LIMIT_ORDER_PROGRAM,
    accounts: [
      writableSigner(payment.taker),
      writable(order.maker),
      writable(order.address),
      writable(order.inputReserve),
      optional(payment.destination),
      optional(payment.source),
      writable(order.feeAccount),
      readonly(order.inputTokenProgram),
      readonly(order.outputMint),
      readonly(order.outputTokenProgram),
      readonly(SYSTEM_PROGRAM),
      ...EVENT_ACCOUNTS,
    ],
    data: new ByteWriter(16).bytes(LIMIT_ORDER_TAGS.flashFillOrder).u64(payment.maximum).finish(),
  };
}

const EVENT_ACCOUNTS: readonly AccountMeta[] = [
  readonly(LIMIT_ORDER_EVENT_AUTHORITY),
  readonly(LIMIT_ORDER_PROGRAM),
];

/** The program's own address stands for an account that is left out. */
function optional(account: Address | null): AccountMeta {
  return account === null ? readonly(LIMIT_ORDER_PROGRAM) : writable(account);
}

/** Where the order is among the accounts of the instructions of makers. */
const ORDER_AT = 2;

/** Finds the order that an instruction of a maker places or cancels. Returns null for any other instruction. */
export function findLimitOrderIn({ programAddress, accounts, data }: Instruction): Address | null {
  const isOfMaker = [LIMIT_ORDER_TAGS.initializeOrder, LIMIT_ORDER_TAGS.cancelOrder].some(
    (tag) => Buffer.compare(tag, data.subarray(0, tag.length)) === 0,
  );
  return programAddress === LIMIT_ORDER_PROGRAM && isOfMaker ? (accounts[ORDER_AT]?.address ?? null) : null;
}
