import type { Chain } from '../../../chain/chain.ts';
import type { LandedTransaction } from '../../../chain/landed-transactions.ts';
import { ORDER_ENGINE_PROGRAM } from '../../../protocols/order-engine/fill-instruction.ts';
import { type Message, parseMessage } from '../../../solana/messages/message.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { SYSVAR_CLOCK, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { decodeClock } from '../../../solana/programs/clock.ts';
import { computeMessageFee } from '../../../solana/programs/message-fee.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../../solana/programs/token/account.ts';
import { computeRentExemptMinimum, MIN_WALLET_LAMPORTS } from '../../../solana/rent.ts';
import { FILL_LIFE_SECONDS } from '../../liquidity/fill-times.ts';
import type { WebhookOrder } from '../../../swaps/orders/stored-order.ts';

/** A swap that its taker held for longer does not count against the maker, by the rules of the public service. */
const HELD_SECONDS = 20n;
/** Up to this fee, in lamports, a maker is held to its quote, however much of it the taker's wallet has added. */
const BINDING_FEE = 100_000n;
/** Anchor's `RequireGteViolated`, with which the order engine refuses a fill that has expired. */
const EXPIRED = 2_506;

/**
 * Finds what the taker did before the maker was sent the swap that frees the maker from making it: it held the order for
 * long, had the maker pay more than twice the fee of the order, or signed a blockhash that nobody can check.
 * @param signed - The message that the taker signed.
 * @returns the excuse, as a sentence; null if there is none
 */
export function findExcuse(
  chain: Pick<Chain, 'clock' | 'lastValidHeightOf'>,
  { messageBytes, webhookFill }: WebhookOrder,
  signed: Message,
): string | null {
  const held = chain.clock().unixTimestamp - (webhookFill.terms.expireAt - FILL_LIFE_SECONDS);
  if (held > HELD_SECONDS) return `the taker held the order for ${held} seconds`;
  const built = parseMessage(messageBytes);
  const [stated, fee] = [computeMessageFee(built).lamports, computeMessageFee(signed).lamports];
  if (fee > BINDING_FEE && fee > stated * 2n)
    return `the taker raised the fee of the transaction from ${stated} to ${fee} lamports`;
  if (signed.blockhash !== built.blockhash && chain.lastValidHeightOf(signed.blockhash) === null)
    return `the taker replaced the blockhash by ${signed.blockhash}, which is not known here`;
  return null;
}

/**
 * @param signed - The message that the taker signed, whose blockhash the wallet may have replaced.
 * @returns the last block height at which the swap can land, by the order if the blockhash is not known
 */
export function getLastHeight(
  chain: Pick<Chain, 'lastValidHeightOf'>,
  order: WebhookOrder,
  signed: Message,
): bigint {
  if (signed.blockhash === parseMessage(order.messageBytes).blockhash) return order.lastValidBlockHeight;
  return chain.lastValidHeightOf(signed.blockhash) ?? order.lastValidBlockHeight;
}

/**
 * @param signed - The message that the taker signed.
 * @returns lamports that the maker's wallet must hold to make the swap: for the fee, for the account in which SOL is
 *   unwrapped, and to stay exempt from rent
 */
export function computeMakerLamports({ outputMint }: WebhookOrder, signed: Message): bigint {
  const unwrapping = outputMint === WRAPPED_SOL_MINT ? computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE) : 0n;
  return computeMessageFee(signed).lamports + unwrapping + MIN_WALLET_LAMPORTS;
}

/**
 * @param signed - The message that the taker signed.
 * @returns whether the swap failed on chain because its maker landed it after it had expired
 */
export function isLate({ error }: Pick<LandedTransaction, 'error'>, signed: Message): boolean {
  if (typeof error !== 'object' || error === null || !('InstructionError' in error)) return false;
  const [index, cause] = error.InstructionError as readonly [number, unknown];
  const instruction = signed.instructions[Number(index)];
  if (instruction === undefined || typeof cause !== 'object' || cause === null) return false;
  const program = signed.staticAccounts[instruction.programIndex];
  return program === ORDER_ENGINE_PROGRAM && 'Custom' in cause && Number(cause.Custom) === EXPIRED;
}

/** Whether the fill has expired by the newest clock of the network; false if the network answers nothing or nonsense. */
export async function hasExpired(
  chain: Pick<Chain, 'getAccounts'>,
  { webhookFill }: WebhookOrder,
): Promise<boolean> {
  const [clock] = await chain.getAccounts([SYSVAR_CLOCK]).catch(() => []);
  const data = clock?.account?.data;
  if (data === undefined) return false;
  try {
    return decodeClock(data).unixTimestamp > webhookFill.terms.expireAt;
  } catch (error) {
    if (error instanceof LayoutInvalid) return false;
    throw error;
  }
}
