import { multiplierAt } from '../../../market/mint-facts.ts';
import type { Address } from '../../../solana/address.ts';
import { formatDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import type { HeldAccount, Holdings } from '../holdings/holdings.ts';
import type { BalancesJson, HoldingsJson, NativeHoldingsJson, TokenAccountJson } from './schema.ts';

const SOL_DECIMALS = 9;
/** The key of lamports in balances. No mint is written like this. */
const NATIVE_KEY = 'SOL';

export function toNativeHoldingsJson({ lamports }: Pick<Holdings, 'lamports'>): NativeHoldingsJson {
  return uiAmount(lamports, SOL_DECIMALS, 1);
}

export function toHoldingsJson(holdings: Holdings): HoldingsJson {
  const tokens: Record<string, TokenAccountJson[]> = {};
  for (const account of holdings.accounts) {
    const { mint } = account.token;
    tokens[mint] ??= [];
    tokens[mint].push(toAccountJson(account, holdings.unixTime));
  }
  const json: HoldingsJson = { ...toNativeHoldingsJson(holdings), tokens };
  if (holdings.omitted > 0) json.omittedAccounts = holdings.omitted;
  return json;
}

export function toBalancesJson(holdings: Holdings): BalancesJson {
  const slot = Number(holdings.slot);
  const { amount, uiAmount: native } = toNativeHoldingsJson(holdings);
  const json: BalancesJson = { [NATIVE_KEY]: { amount, uiAmount: native, slot, isFrozen: false } };
  const byMint = new Map<Address, HeldAccount[]>();
  for (const account of holdings.accounts) {
    const known = byMint.get(account.token.mint);
    if (known === undefined) byMint.set(account.token.mint, [account]);
    else known.push(account);
  }
  for (const [mint, accounts] of byMint) {
    const total = accounts.reduce((sum, { token }) => sum + token.amount, 0n);
    const shown = tokenAmount(total, accounts[0] as HeldAccount, holdings.unixTime);
    const isFrozen = accounts.some(({ token }) => token.state === 'frozen');
    json[mint] = { amount: shown.amount, uiAmount: shown.uiAmount, slot, isFrozen };
  }
  return json;
}

function toAccountJson(account: HeldAccount, unixTime: number): TokenAccountJson {
  const { address, token, mint, program, isAssociated, lamports, reclaimableLamports } = account;
  const json: TokenAccountJson = {
    account: address,
    ...tokenAmount(token.amount, account, unixTime),
    isFrozen: token.state === 'frozen',
    isAssociatedTokenAccount: isAssociated,
    decimals: mint.decimals,
    programId: program,
    lamports: String(lamports),
  };
  if (reclaimableLamports > 0n) json.reclaimableLamports = String(reclaimableLamports);
  return json;
}

function tokenAmount(amount: bigint, { mint }: HeldAccount, unixTime: number): NativeHoldingsJson {
  const multiplier = multiplierAt(mint, unixTime);
  return uiAmount(amount, mint.decimals, multiplier);
}

/** Scaled amounts are displayed as Token-2022 displays them: multiplied and rounded down to base units. */
function uiAmount(amount: bigint, decimals: number, multiplier: number): NativeHoldingsJson {
  const product = Math.trunc(Number(amount) * multiplier);
  const shown = multiplier === 1 || !Number.isFinite(product) ? amount : BigInt(product);
  const uiAmountString = formatDecimalAmount(shown, decimals);
  return { amount: String(amount), uiAmount: Number(uiAmountString), uiAmountString };
}
