import type { LandedCall, LandedTransaction } from '../../../chain/landed-transactions.ts';
import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { LIQUIDITY_PROGRAM } from '../lending-base/programs.ts';
import type { Lending } from './layouts.ts';

/** A deposit or a withdrawal that landed. */
export interface LandedEarnMovement {
  readonly kind: 'deposit' | 'withdrawal';
  readonly owner: Address;
  readonly mint: Address;
  readonly receiptMint: Address;
  /** Atoms of the token. */
  readonly assets: bigint;
  /** Atoms of the receipt token that were minted or burned. */
  readonly shares: bigint;
}

/** The parts of a lending that identify its movements. */
export type FollowedLending = Pick<Lending, 'mint' | 'fTokenMint'>;

/** The discriminator of the liquidity program's `operate`. */
const OPERATE = 'd96ad06374972a87';
/** The offset of the supplied amount, which is signed, in the data of `operate`. */
const SUPPLY_AMOUNT_AT = 8;
const I128_BYTES = 16;

/** Instructions of the token programs, by their first byte. */
const [MINT_TO, BURN, TRANSFER_CHECKED, MINT_TO_CHECKED, BURN_CHECKED] = [7, 8, 12, 14, 15] as const;

/**
 * Reads the deposits and withdrawals of a transaction from the calls that the lending program made. These cannot be
 * forged, because the liquidity program only lets the lending program operate a lending. Any program can log a fake
 * event.
 *
 * @param lendings - By address.
 * @returns The movements in order of execution. Empty for a transaction that failed.
 *
 * @example
 * ```ts
 * import type { Chain } from '../../../chain/chain.ts';
 * import type { Address } from '../../../solana/address.ts';
 * import { listEarnMovements, type FollowedLending } from './movements.ts';
 *
 * async function movementsOf(chain: Chain, signature: string, lendings: ReadonlyMap<Address, FollowedLending>) {
 *   const transaction = await chain.transaction(signature);
 *   return transaction === null ? [] : listEarnMovements(transaction, lendings);
 * }
 * ```
 */
export function listEarnMovements(
  { error, calls }: Pick<LandedTransaction, 'error' | 'calls'>,
  lendings: ReadonlyMap<Address, FollowedLending>,
): readonly LandedEarnMovement[] {
  if (error !== null) return [];
  return calls.flatMap(({ call, instruction }, index) => {
    const [protocol] = call.accounts;
    const lending = protocol === undefined ? undefined : lendings.get(protocol);
    const amount = lending === undefined ? null : suppliedBy(call);
    if (lending === undefined || amount === null) return [];
    // The calls that one instruction made are consecutive.
    const own = (each: { readonly instruction: number }) => each.instruction === instruction;
    const before = calls.slice(0, index).filter(own).reverse();
    const after = calls.slice(index + 1).filter(own);
    const movement =
      amount > 0n ? findDeposit(lending, amount, before, after) : findWithdrawal(lending, amount, before);
    return movement ?? [];
  });
}

type LandedCalls = LandedTransaction['calls'];

/** Returns the supplied amount, which is negative for a withdrawal. Null for other calls, and when it is 0. */
function suppliedBy({ program, data }: LandedCall): bigint | null {
  if (program !== LIQUIDITY_PROGRAM || data.length < SUPPLY_AMOUNT_AT + I128_BYTES) return null;
  if (Buffer.from(data.subarray(0, SUPPLY_AMOUNT_AT)).toString('hex') !== OPERATE) return null;
  const amount = new ByteReader(data, 'operate', SUPPLY_AMOUNT_AT).i128();
  return amount === 0n ? null : amount;
}

/** The program takes the tokens, supplies them, and mints the shares. A supply without shares is not a deposit. */
function findDeposit(
  { mint, fTokenMint }: FollowedLending,
  assets: bigint,
  before: LandedCalls,
  after: LandedCalls,
): LandedEarnMovement | null {
  const taken = before.find(
    ({ call }) =>
      isTokenCall(call, [TRANSFER_CHECKED]) &&
      call.accounts[1] === mint &&
      readTokenCallAmount(call) === assets,
  );
  const minted = after.find(
    ({ call }) => isTokenCall(call, [MINT_TO, MINT_TO_CHECKED]) && call.accounts[0] === fTokenMint,
  );
  const owner = taken?.call.accounts[3];
  if (owner === undefined || minted === undefined) return null;
  return {
    kind: 'deposit',
    owner,
    mint,
    receiptMint: fTokenMint,
    assets,
    shares: readTokenCallAmount(minted.call),
  };
}

/** The program burns the shares before it withdraws. */
function findWithdrawal(
  { mint, fTokenMint }: FollowedLending,
  amount: bigint,
  before: LandedCalls,
): LandedEarnMovement | null {
  const burned = before.find(
    ({ call }) => isTokenCall(call, [BURN, BURN_CHECKED]) && call.accounts[1] === fTokenMint,
  );
  const owner = burned?.call.accounts[2];
  if (burned === undefined || owner === undefined) return null;
  const shares = readTokenCallAmount(burned.call);
  return { kind: 'withdrawal', owner, mint, receiptMint: fTokenMint, assets: -amount, shares };
}

function isTokenCall({ program, data }: LandedCall, instructions: readonly number[]): boolean {
  return isTokenProgram(program) && data.length >= 9 && instructions.some((each) => each === data[0]);
}

function readTokenCallAmount({ data }: LandedCall): bigint {
  return new DataView(data.buffer, data.byteOffset).getBigUint64(1, true);
}
