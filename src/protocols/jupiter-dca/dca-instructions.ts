import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import type { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import {
  createDcaInstruction,
  DCA_EVENT_ACCOUNTS,
  DCA_NO_ACCOUNT,
  DCA_PROGRAMS,
  deriveDcaTokens,
  type NamedDcaOrder,
  startDcaData,
} from './dca-accounts.ts';
import { DCA_FEE_AUTHORITY, DCA_PROGRAM, type DcaOrderSeeds, deriveDcaOrderAddress } from './dca-program.ts';

// The instructions of users, and that of the fees' admin. Source: the public IDL `dca`, version 0.1.0.

const TAG = {
  open: '2441b93601d264a3',
  openV2: '8e772b6da2340bb1',
  close: '16072162a8b722f3',
  withdraw: 'b712469c946da122',
  deposit: 'f223c68952e1f2b6',
  withdrawFees: 'c6d4ab6d90d7ae59',
} as const;

/** What a new order does. Amounts are atoms. */
export interface DcaTerms {
  readonly inAmount: bigint;
  readonly inAmountPerCycle: bigint;
  /** Seconds, at least 30. */
  readonly cycleFrequency: bigint;
  /** The least that a cycle may bring to the user, like the next one the most. Default: no bound. */
  readonly minOutAmount?: bigint | undefined;
  readonly maxOutAmount?: bigint | undefined;
  /** The Unix second of the first cycle. Default: now. */
  readonly startAt?: bigint | undefined;
}

/** An order to be opened, at the address that its seeds derive. */
export interface DcaOpening extends DcaOrderSeeds, DcaTerms {
  /** The user's account of the input. Default: the associated one. */
  readonly userAccount?: Address | undefined;
}

/**
 * Creates `open_dca_v2`, which moves the user's tokens into a new order.
 *
 * @param payer - Pays the rent of the order and of its token accounts. All of it goes to the user in the end.
 */
export function createOpenDca(opening: DcaOpening, payer = opening.user): Instruction {
  const parties = [readonlySigner(opening.user), writableSigner(payer)];
  return createDcaInstruction(listOpeningAccounts(opening, parties), writeTerms(TAG.openV2, opening));
}

/**
 * Creates `open_dca`, the older form, in which the user pays the rent.
 *
 * @param closesWrappedSol - Whether the user's account of wrapped SOL is closed afterwards, and what it holds unwrapped.
 */
export function createOpenDcaV1(opening: DcaOpening, closesWrappedSol: boolean): Instruction {
  const accounts = listOpeningAccounts(opening, [writableSigner(opening.user)]);
  return createDcaInstruction(accounts, writeTerms(TAG.open, opening).bool(true).bool(closesWrappedSol));
}

function listOpeningAccounts(opening: DcaOpening, parties: readonly AccountMeta[]): readonly AccountMeta[] {
  const { user, inputMint, outputMint } = opening;
  const order = deriveDcaOrderAddress(opening).address;
  return [
    writable(order),
    ...parties,
    readonly(inputMint),
    readonly(outputMint),
    writable(opening.userAccount ?? deriveDcaTokens(user, inputMint)),
    writable(deriveDcaTokens(order, inputMint)),
    writable(deriveDcaTokens(order, outputMint)),
    ...DCA_PROGRAMS,
    ...DCA_EVENT_ACCOUNTS,
  ];
}

function writeTerms(tag: string, terms: DcaOpening): ByteWriter {
  const { idx, inAmount, inAmountPerCycle, cycleFrequency } = terms;
  const to = startDcaData(tag).u64(idx).u64(inAmount).u64(inAmountPerCycle).i64(cycleFrequency);
  for (const bound of [terms.minOutAmount, terms.maxOutAmount]) {
    to.bool(bound !== undefined);
    if (bound !== undefined) to.u64(bound);
  }
  to.bool(terms.startAt !== undefined);
  return terms.startAt === undefined ? to : to.i64(terms.startAt);
}

/**
 * Decodes the terms in the data of `open_dca` or `open_dca_v2`.
 *
 * Returns null for the data of another instruction.
 * @throws LayoutInvalid when the terms are cut short.
 */
export function decodeDcaTerms(data: Uint8Array): DcaTerms | null {
  const tag = Buffer.from(data.subarray(0, 8)).toString('hex');
  if (tag !== TAG.open && tag !== TAG.openV2) return null;
  const from = new ByteReader(data, 'terms of a DCA order', 8);
  // The number from which the address is derived.
  from.u64();
  return {
    inAmount: from.u64(),
    inAmountPerCycle: from.u64(),
    cycleFrequency: from.i64(),
    minOutAmount: from.bool() ? from.u64() : undefined,
    maxOutAmount: from.bool() ? from.u64() : undefined,
    startAt: from.bool() ? from.i64() : undefined,
  };
}

/** Where a user is paid. Default: into the associated accounts, which are created if they are missing. */
export interface DcaReceivers {
  readonly input?: Address | undefined;
  readonly output?: Address | undefined;
}

/** Creates `close_dca`, which gives the user everything that the order holds, and its rent. */
export function createCloseDca(order: NamedDcaOrder, to: DcaReceivers = {}): Instruction {
  const { user, inputMint, outputMint } = order;
  const accounts = [
    writableSigner(user),
    writable(order.address),
    readonly(inputMint),
    readonly(outputMint),
    writable(order.inAccount),
    writable(order.outAccount),
    writable(to.input ?? deriveDcaTokens(user, inputMint)),
    writable(to.output ?? deriveDcaTokens(user, outputMint)),
    ...DCA_PROGRAMS,
    ...DCA_EVENT_ACCOUNTS,
  ];
  return createDcaInstruction(accounts, startDcaData(TAG.close));
}

/** The token of an order that a user withdraws. */
export type DcaSide = 'in' | 'out';

/**
 * Creates `withdraw`. The order goes on with the rest.
 *
 * @param amount - Atoms, at most what the order counts as left of the input, or as bought and not paid out.
 * @param receiver - A token account of the user. Default: the associated one, which is created if it is missing.
 */
export function createWithdrawDca(
  order: NamedDcaOrder,
  side: DcaSide,
  amount: bigint,
  receiver?: Address,
): Instruction {
  const { user, inputMint, outputMint } = order;
  const mint = side === 'in' ? inputMint : outputMint;
  const own = writable(receiver ?? deriveDcaTokens(user, mint));
  const accounts = [
    writableSigner(user),
    writable(order.address),
    readonly(inputMint),
    readonly(outputMint),
    writable(side === 'in' ? order.inAccount : order.outAccount),
    side === 'in' ? own : DCA_NO_ACCOUNT,
    side === 'out' ? own : DCA_NO_ACCOUNT,
    ...DCA_PROGRAMS,
    ...DCA_EVENT_ACCOUNTS,
  ];
  return createDcaInstruction(
    accounts,
    startDcaData(TAG.withdraw)
      .u64(amount)
      .bool(side === 'out'),
  );
}

/**
 * Creates `deposit`, which adds to the input of an order.
 *
 * @param amount - Atoms.
 * @param source - A token account of the user. Default: the associated one.
 */
export function createDepositDca(order: NamedDcaOrder, amount: bigint, source?: Address): Instruction {
  const accounts = [
    writableSigner(order.user),
    writable(order.address),
    writable(order.inAccount),
    writable(source ?? deriveDcaTokens(order.user, order.inputMint)),
    readonly(TOKEN_PROGRAM),
    ...DCA_EVENT_ACCOUNTS,
  ];
  return createDcaInstruction(accounts, startDcaData(TAG.deposit).u64(amount));
}

/** The fees of one token that the admin withdraws. */
export interface DcaFees {
  readonly mint: Address;
  readonly amount: bigint;
  /** Any account of the token. */
  readonly receiver: Address;
}

/** Creates `withdraw_fees`, which the admin signs. */
export function createWithdrawDcaFees(admin: Address, { mint, amount, receiver }: DcaFees): Instruction {
  const accounts = [
    writableSigner(admin),
    readonly(mint),
    readonly(DCA_FEE_AUTHORITY.address),
    writable(deriveDcaTokens(DCA_FEE_AUTHORITY.address, mint)),
    writable(receiver),
    ...DCA_PROGRAMS,
  ];
  return createDcaInstruction(accounts, startDcaData(TAG.withdrawFees).u64(amount));
}

/** Where the order is among the accounts of the instructions that open and close one. */
const ORDER_AT: ReadonlyMap<string, number> = new Map([
  [TAG.open, 0],
  [TAG.openV2, 0],
  [TAG.close, 1],
]);

/** Finds the order that an instruction opens or closes. Returns null for any other instruction. */
export function findOpenedOrClosedDca({ programAddress, accounts, data }: Instruction): Address | null {
  if (programAddress !== DCA_PROGRAM) return null;
  const at = ORDER_AT.get(Buffer.from(data.subarray(0, 8)).toString('hex'));
  return at === undefined ? null : (accounts[at]?.address ?? null);
}
