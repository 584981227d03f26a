import { visitInTurns, type Work } from '../../../common/work/work.ts';
import { computeMintDisplay } from '../../../market/mint-facts.ts';
import type { Address } from '../../../solana/address.ts';
import { formatDisplayedAmount, type MintDisplay } from '../../../solana/programs/token/display-amount.ts';
import type { HeldTokenAccount, WalletHoldings } from '../holdings/holdings.ts';
import type { BalancesJson, HoldingsJson, NativeHoldingsJson, TokenAccountJson } from './schema.ts';

const SOL: MintDisplay = { decimals: 9, scale: null };
/** The key of lamports in balances. No mint is written like this. */
const NATIVE_KEY = 'SOL';

export function toNativeHoldingsJson({ lamports }: Pick<WalletHoldings, 'lamports'>): NativeHoldingsJson {
  return uiAmount(lamports, SOL);
}

export async function toHoldingsJson(holdings: WalletHoldings, work: Work): Promise<HoldingsJson> {
  const tokens: Record<string, TokenAccountJson[]> = {};
  await visitInTurns(work, holdings.accounts, (account) => {
    const { mint } = account.token;
    tokens[mint] ??= [];
    tokens[mint].push(toAccountJson(account, holdings.unixTime));
  });
  const json: HoldingsJson = { ...toNativeHoldingsJson(holdings), tokens };
  if (holdings.omitted > 0) json.omittedAccounts = holdings.omitted;
  return json;
}

export async function toBalancesJson(holdings: WalletHoldings, work: Work): Promise<BalancesJson> {
  const slot = Number(holdings.slot);
  const { amount, uiAmount: native } = toNativeHoldingsJson(holdings);
  const json: BalancesJson = { [NATIVE_KEY]: { amount, uiAmount: native, slot, isFrozen: false } };
  const byMint = new Map<Address, HeldTokenAccount[]>();
  await visitInTurns(work, holdings.accounts, (account) => {
    const known = byMint.get(account.token.mint);
    if (known === undefined) byMint.set(account.token.mint, [account]);
    else known.push(account);
  });
  await visitInTurns(work, byMint, ([mint, accounts]) => {
    const total = accounts.reduce((sum, { token }) => sum + token.amount, 0n);
    const shown = tokenAmount(total, accounts[0] as HeldTokenAccount, holdings.unixTime);
    const isFrozen = accounts.some(({ token }) => token.state === 'frozen');
    json[mint] = { amount: shown.amount, uiAmount: shown.uiAmount, slot, isFrozen };
  });
  return json;
}

function toAccountJson(account: HeldTokenAccount, unixTime: number): TokenAccountJson {
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

function tokenAmount(amount: bigint, { mint }: HeldTokenAccount, unixTime: number): NativeHoldingsJson {
  return uiAmount(amount, computeMintDisplay(mint, unixTime));
}

function uiAmount(amount: bigint, display: MintDisplay): NativeHoldingsJson {
  const uiAmountString = formatDisplayedAmount(amount, display);
  return { amount: String(amount), uiAmount: Number(uiAmountString), uiAmountString };
}
