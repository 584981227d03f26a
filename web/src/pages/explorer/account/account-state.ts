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

/** An account as the network has it now. */
export interface AccountState {
  readonly lamports: string;
  readonly owner: string;
  readonly executable: boolean;
  readonly bytes: number;
  /** What its program's layout says, as names and texts; empty for data that the network cannot parse. */
  readonly parsed: readonly { readonly name: string; readonly value: string }[];
  /** The kind of account, such as `mint`; null if it is not known. */
  readonly kind: string | null;
}

interface RpcAccount {
  readonly lamports: number | bigint;
  readonly owner: string;
  readonly executable: boolean;
  readonly space?: number;
  readonly data: unknown;
}

const CONFIRMED = { commitment: 'confirmed', encoding: 'jsonParsed' } as const;

/** Reads an account. Returns null if it does not exist. */
export async function fetchAccount(address: string): Promise<AccountState | null> {
  const { value } = await callRpc<{ readonly value: RpcAccount | null }>('getAccountInfo', [
    address,
    CONFIRMED,
  ]);
  if (value === null) return null;
  const { kind, parsed } = readParsed(value.data);
  return {
    lamports: String(value.lamports),
    owner: value.owner,
    executable: value.executable,
    bytes: value.space ?? 0,
    kind,
    parsed,
  };
}

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

function readParsed(data: unknown): Pick<AccountState, 'kind' | 'parsed'> {
  const info = findInfo(data);
  if (info === null) return { kind: null, parsed: [] };
  const type = (data as { readonly parsed?: { readonly type?: unknown } }).parsed?.type;
  return {
    kind: typeof type === 'string' ? type : null,
    parsed: Object.entries(info).flatMap(([name, value]) =>
      value === null || typeof value === 'object' ? [] : [{ name, value: String(value) }],
    ),
  };
}

function findInfo(data: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof data !== 'object' || data === null || !('parsed' in data)) return null;
  const { parsed } = data;
  if (typeof parsed !== 'object' || parsed === null || !('info' in parsed)) return null;
  return parsed.info as Readonly<Record<string, unknown>>;
}
