import { callRpc } from '../../../api/network.ts';

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

interface RpcAccount {
  readonly data: unknown;
}

const CONFIRMED = { commitment: 'confirmed', encoding: 'jsonParsed' } as const;

/** Reads the token accounts of a wallet that hold something, of both token programs. */
export async function fetchHeldTokens(owner: string): Promise<readonly HeldToken[]> {
  const lists = await Promise.all(
    TOKEN_PROGRAMS.map((programId) =>
      callRpc<{ readonly value: readonly { readonly pubkey: string; readonly account: RpcAccount }[] }>(
        'getTokenAccountsByOwner',
        [owner, { programId }, CONFIRMED],
      ),
    ),
  );
  return lists
    .flatMap(({ value }) => value)
    .flatMap(({ pubkey, account }) => {
      const held = readHolding(account.data);
      return held === null ? [] : [{ account: pubkey, ...held }];
    });
}

function readHolding(data: unknown): Omit<HeldToken, 'account'> | null {
  const info = findInfo(data);
  const mint = info?.mint;
  const tokenAmount = info?.tokenAmount as
    | { readonly amount?: unknown; readonly decimals?: unknown }
    | undefined;
  if (typeof mint !== 'string' || typeof tokenAmount?.amount !== 'string') return null;
  return {
    mint,
    amount: tokenAmount.amount,
    decimals: typeof tokenAmount.decimals === 'number' ? tokenAmount.decimals : 0,
  };
}

function findInfo(data: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof data !== 'object' || data === null || !('parsed' in data)) return null;
  const { parsed } = data;
  if (typeof parsed !== 'object' || parsed === null || !('info' in parsed)) return null;
  return parsed.info as Readonly<Record<string, unknown>>;
}
