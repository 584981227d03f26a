import { createHash } from 'node:crypto';
import type { Address } from '../../../solana/address.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import { memo } from '../../../solana/programs/memo.ts';

/** What a wallet signs: the bytes of a text, or a transaction with the text as its memo, for wallets that sign no texts. */
export const CHALLENGE_KINDS = ['message', 'transaction'] as const;
export type ChallengeKind = (typeof CHALLENGE_KINDS)[number];

/**
 * Fills in the text of a challenge.
 * @param template - The setting `trigger-challenge-text`.
 * @param expiresAt - Unix milliseconds.
 */
export function writeChallengeText(
  template: string,
  wallet: Address,
  expiresAt: number,
  nonce: string,
): string {
  const values: Readonly<Record<string, string>> = {
    '<wallet>': wallet,
    '<time>': new Date(expiresAt).toISOString(),
    '<nonce>': nonce,
  };
  return template.replaceAll(/<(?:wallet|time|nonce)>/g, (place) => values[place] ?? place);
}

/**
 * Compiles the message of a transaction whose memo is the text of a challenge. The wallet pays for it and signs it, but it can
 * never land: its blockhash is a hash of the text, so that nobody who sees the signed transaction can make the wallet pay.
 * The form is the legacy one, which every hardware wallet can show.
 */
export function compileChallengeMessage(wallet: Address, text: string): Uint8Array {
  return compileMessage({
    version: 'legacy',
    feePayer: wallet,
    blockhash: createHash('sha256').update(text).digest(),
    instructions: [memo(text, [wallet])],
  });
}
