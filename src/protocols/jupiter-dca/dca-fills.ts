import type { Address } from '../../solana/address.ts';
import { type Instruction, readonly, writable, writableSigner } from '../../solana/messages/instruction.ts';
import { SYSVAR_INSTRUCTIONS, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import {
  createDcaInstruction,
  DCA_EVENT_ACCOUNTS,
  DCA_NO_ACCOUNT,
  DCA_PROGRAMS,
  deriveDcaTokens,
  type NamedDcaOrder,
  startDcaData,
} from './dca-accounts.ts';
import { DCA_FEE_AUTHORITY, deriveDcaIntermediateAddress } from './dca-program.ts';

// The instructions of keepers. Source: the public IDL `dca`, version 0.1.0.

const TAG = {
  initiate: '8fcd03bfa2d7f531',
  fulfill: '7340e24e21d369a2',
  transfer: 'a334c8e78c0345ba',
  endAndClose: '537da645f7fc6785',
} as const;

/**
 * Creates `initiate_flash_fill`: the keeper's associated account gets the input of the cycle that is due, and is created if
 * it is missing. Between it and `createFulfillFlashFill`, which must follow in the same transaction, the keeper swaps
 * exactly that amount into the order's account of the output.
 */
export function createInitiateFlashFill(keeper: Address, order: NamedDcaOrder): Instruction {
  const accounts = [
    writableSigner(keeper),
    writable(order.address),
    readonly(order.inputMint),
    writable(deriveDcaTokens(keeper, order.inputMint)),
    writable(order.inAccount),
    readonly(order.outAccount),
    readonly(SYSVAR_INSTRUCTIONS),
    ...DCA_PROGRAMS,
  ];
  return createDcaInstruction(accounts, startDcaData(TAG.initiate));
}

/**
 * Creates `fulfill_flash_fill`, the second half of a fill.
 *
 * @param repayAmount - The least that the swap must have paid, in atoms, before the fee. The order keeps whatever it paid.
 */
export function createFulfillFlashFill(
  keeper: Address,
  order: NamedDcaOrder,
  repayAmount: bigint,
): Instruction {
  const accounts = [
    writableSigner(keeper),
    writable(order.address),
    readonly(order.inputMint),
    readonly(order.outputMint),
    // The interface lists the next three as read-only. The program writes them, as recorded transactions say.
    writable(deriveDcaTokens(keeper, order.inputMint)),
    writable(order.inAccount),
    writable(order.outAccount),
    readonly(DCA_FEE_AUTHORITY.address),
    writable(deriveDcaTokens(DCA_FEE_AUTHORITY.address, order.outputMint)),
    readonly(SYSVAR_INSTRUCTIONS),
    ...DCA_PROGRAMS,
    ...DCA_EVENT_ACCOUNTS,
  ];
  return createDcaInstruction(accounts, startDcaData(TAG.fulfill).u64(repayAmount));
}

/**
 * Creates `transfer`, which pays what an order has bought to its user: as SOL, or into the associated account, which must
 * exist. A keeper that opens it for the user gives its rent away; `createEndAndCloseDca` takes that from the order. Anybody
 * may sign as the keeper.
 */
export function createTransferDca(keeper: Address, order: NamedDcaOrder): Instruction {
  const isSol = order.outputMint === WRAPPED_SOL_MINT;
  const accounts = [
    writableSigner(keeper),
    writable(order.address),
    writable(order.user),
    readonly(order.outputMint),
    writable(order.outAccount),
    isSol ? DCA_NO_ACCOUNT : writable(deriveDcaTokens(order.user, order.outputMint)),
    isSol ? writable(deriveDcaIntermediateAddress(order.address)) : DCA_NO_ACCOUNT,
    ...DCA_PROGRAMS,
    ...DCA_EVENT_ACCOUNTS,
  ];
  return createDcaInstruction(accounts, startDcaData(TAG.transfer));
}

/** What else `end_and_close` has to do. */
export interface DcaEnding {
  /** Whether to open the user's associated account of the output, which the order's rent pays. Default: it exists. */
  readonly opensAccount?: boolean | undefined;
  /** Whether to pay tokens of the input that nobody deposited to the user's associated account. Default: there are none. */
  readonly paysDonation?: boolean | undefined;
}

/**
 * Creates `end_and_close`, which closes an order without input and pays everything it holds to its user. Anybody may sign
 * as the keeper.
 */
export function createEndAndCloseDca(
  keeper: Address,
  order: NamedDcaOrder,
  { opensAccount = false, paysDonation = false }: DcaEnding = {},
): Instruction {
  const isSol = order.outputMint === WRAPPED_SOL_MINT;
  const output = writable(deriveDcaTokens(order.user, order.outputMint));
  const accounts = [
    writableSigner(keeper),
    writable(order.address),
    readonly(order.inputMint),
    readonly(order.outputMint),
    writable(order.inAccount),
    writable(order.outAccount),
    writable(order.user),
    isSol || opensAccount ? DCA_NO_ACCOUNT : output,
    opensAccount && !isSol ? output : DCA_NO_ACCOUNT,
    DCA_NO_ACCOUNT,
    ...DCA_PROGRAMS,
    ...DCA_EVENT_ACCOUNTS,
    ...(paysDonation ? [writable(deriveDcaTokens(order.user, order.inputMint))] : []),
  ];
  return createDcaInstruction(accounts, startDcaData(TAG.endAndClose));
}
