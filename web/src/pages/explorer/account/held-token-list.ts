import { UnreadableError } from '../../../api/call.ts';
import { callRpc } from '../../../api/network.ts';
import { isAddress } from '../../../base/is-address.ts';
import { shape } from '../../../base/json-shape.ts';

/** The token programs, whose accounts of an owner are searched for. */
const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const;

/** A token account of a wallet. */
export interface HeldToken {
  readonly account: string;
  readonly mint: string;
  /** In smallest units. */
  readonly amount: string;
  readonly decimals: number;
}

const CONFIRMED = { commitment: 'confirmed', encoding: 'jsonParsed' } as const;
const AMOUNT = /^\d{1,20}$/;
const MAX_DECIMALS = 255;

const readHolding = shape.object({
  pubkey: shape.text,
  account: shape.object({
    data: shape.object({
      parsed: shape.object({
        info: shape.object({
          mint: shape.text,
          tokenAmount: shape.object({ amount: shape.text, decimals: shape.number }),
        }),
      }),
    }),
  }),
});
const readHoldings = shape.object({ value: shape.list((value) => value) });

/**
 * Reads the token accounts of a wallet that hold something, of both token programs.
 *
 * @throws ApiError if the network refuses, in its words
 * @throws UnreadableError if an answer is no list
 */
export async function fetchHeldTokens(owner: string): Promise<readonly HeldToken[]> {
  const answers = await Promise.all(
    TOKEN_PROGRAMS.map((programId) =>
      callRpc<unknown>('getTokenAccountsByOwner', [owner, { programId }, CONFIRMED]),
    ),
  );
  return answers.flatMap(toHeldTokens);
}

/** Converts an answer of `getTokenAccountsByOwner`. Accounts that cannot be read are left out. @throws UnreadableError if it is none */
export function toHeldTokens(answer: unknown): readonly HeldToken[] {
  try {
    return readHoldings(answer).value.flatMap((entry) => toHeldToken(entry) ?? []);
  } catch {
    throw new UnreadableError('token accounts');
  }
}

function toHeldToken(entry: unknown): HeldToken | null {
  try {
    const { pubkey, account } = readHolding(entry);
    const { mint, tokenAmount } = account.data.parsed.info;
    const { amount, decimals } = tokenAmount;
    const isWhole = Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS;
    if (!isWhole || !AMOUNT.test(amount) || !isAddress(mint) || !isAddress(pubkey)) return null;
    return { account: pubkey, mint, amount, decimals };
  } catch {
    return null;
  }
}
