import { type FillToSign, type KeyCustody, SigningRefused } from '../../custody/custody.ts';
import { type Keypair, signWith } from '../../solana/keypair.ts';
import { type CompiledInstruction, type Message, parseMessage } from '../../solana/messages/message.ts';
import {
  encodeTransaction,
  getTransactionSignature,
  parseTransaction,
} from '../../solana/messages/transaction.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { computeMessageFee } from '../../solana/programs/message-fee.ts';
import { findTransferredLamports } from '../../solana/programs/system.ts';
import { type AccountsAfter, computeMaxFeePayerCost } from '../../transactions/cost/fee-payer-cost.ts';
import {
  CLOSE_DESTINATION_PLACE,
  CLOSED_PLACE,
  FEE_PAYER_INDEX,
  findAccountAt,
  findProgram,
  isClosing,
} from '../../transactions/cost/message-instructions.ts';
import type { OrderSale } from '../order-sale.ts';
import type { PlannedFill } from './fill-plan.ts';

/** Who signs fills. */
export interface FillSigners {
  readonly custody: Pick<KeyCustody, 'sign'>;
  /** The operator's wallet that pays for fills. */
  readonly gasWallet: Keypair;
}

/** A fill as it is recorded and sent. */
export interface SignedFill {
  readonly signature: string;
  readonly wire: Uint8Array;
  readonly lastValidBlockHeight: bigint;
}

/**
 * Signs a fill: with the key of the vault, after custody has checked the message against the order, and then with the gas
 * wallet, unless the message could cost it more than the plan says.
 * @throws SigningRefused when the message does anything else than the plan says
 * @throws Unavailable when the keys cannot be read, or the signature cannot be recorded
 */
export async function signFill(
  { custody, gasWallet }: FillSigners,
  order: OrderSale,
  fill: PlannedFill,
): Promise<SignedFill> {
  const { messageBytes, lastValidBlockHeight } = fill;
  const message = parseMessage(messageBytes);
  checkSigners(message, gasWallet, order);
  checkGas(message, order, fill);
  const given = await custody.sign(toFillToSign(gasWallet, order, fill));
  const ofVault = given.find(({ address }) => address === order.vault);
  if (ofVault === undefined) throw new SigningRefused(`the key of the vault ${order.vault} did not sign`);
  const wire = encodeTransaction([signWith(gasWallet, messageBytes), ofVault.signature], messageBytes);
  return { signature: getTransactionSignature(parseTransaction(wire)), wire, lastValidBlockHeight };
}

/** Returns what custody checks a fill against. */
export function toFillToSign(
  gasWallet: Pick<Keypair, 'address'>,
  { id, wallet, account, inputMint, outputMint, outputAccount }: OrderSale,
  { messageBytes, inputAmount, floor, platformFee }: PlannedFill,
): FillToSign {
  return {
    kind: 'fill',
    subject: id,
    messageBytes,
    wallet,
    account,
    inputMint,
    outputMint,
    outputAccount,
    amount: inputAmount,
    floor,
    payer: gasWallet.address,
    platformFee: platformFee ?? undefined,
  };
}

function checkSigners({ signers, staticAccounts }: Message, gasWallet: Keypair, { vault }: OrderSale): void {
  const [payer, signer] = staticAccounts;
  if (signers === 2 && payer === gasWallet.address && signer === vault) return;
  throw new SigningRefused(`the signers of a fill are ${gasWallet.address} and ${vault}, in this order`);
}

/**
 * Checks what a fill takes from the gas wallet. If it fails on chain, it costs the fee. If it succeeds, the rent that it pays
 * has come back: from the order's account, or from the one that SOL comes through.
 */
function checkGas(message: Message, { account }: OrderSale, fill: PlannedFill): void {
  const { lamports: fee } = computeMessageFee(message);
  if (fee > fill.lamports) {
    throw new SigningRefused(`the fee of the fill is ${fee} lamports, and ${fill.lamports} are planned`);
  }
  const gross = computeMaxFeePayerCost(message, toCreatedAccounts(fill));
  if (gross === null)
    throw new SigningRefused('the fill names the gas wallet beside fees, rent and closed accounts');
  const closed = listClosedToPayer(message);
  const isReturned = closed.some(
    (instruction) => findAccountAt(message, instruction, CLOSED_PLACE) === account,
  );
  const net = gross - (isReturned ? fill.rentReturned : 0n) - sumLent(message, closed);
  if (net <= fill.lamports) return;
  throw new SigningRefused(`the fill costs the gas wallet ${net} lamports, and ${fill.lamports} are planned`);
}

function listClosedToPayer(message: Message): readonly CompiledInstruction[] {
  return message.instructions.filter(
    (instruction) =>
      isClosing(message, instruction) && instruction.accounts[CLOSE_DESTINATION_PLACE] === FEE_PAYER_INDEX,
  );
}

/** Sums the lamports that the gas wallet transfers to accounts that are closed in its favour afterwards. Custody checks what is between. */
function sumLent(message: Message, closed: readonly CompiledInstruction[]): bigint {
  let sum = 0n;
  for (const [index, instruction] of message.instructions.entries()) {
    const [from, to] = instruction.accounts;
    if (findProgram(message, instruction) !== SYSTEM_PROGRAM || from !== FEE_PAYER_INDEX) continue;
    const isBack = closed.some(
      (closing) => closing.accounts[CLOSED_PLACE] === to && message.instructions.indexOf(closing) > index,
    );
    if (isBack) sum += findTransferredLamports(instruction.data) ?? 0n;
  }
  return sum;
}

/** The rent of an account of Token-2022 depends on its size. */
function toCreatedAccounts({ created }: PlannedFill): AccountsAfter {
  if (created === null) return new Map();
  const { account, size } = created;
  const state = { lamports: 0n, owner: TOKEN_2022_PROGRAM, executable: false, rentEpoch: 0n };
  return new Map([[account, { ...state, data: new Uint8Array(size) }]]);
}
