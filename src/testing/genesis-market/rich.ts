import fc from 'fast-check';
import type { Address } from '../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { parseTransaction } from '../../solana/messages/transaction.ts';
import { openTestSwap, type TestSwap } from './swap.ts';

/** More than all pools hold together. */
export const PLENTY = 1n << 60n;
/** Bytes that a transaction has at most. */
export const LARGEST = 1_232;

/** Orders over the genesis market, with a wallet for which no amount is too large. */
export interface RichSwap {
  readonly swap: TestSwap;
  /** Holds `PLENTY` of every token. */
  readonly whale: Address;
  /** Two wallets with an open account of every token. */
  readonly payer: Address;
  readonly stranger: Address;
  programOf(mint: Address): Address;
  /** The associated account. */
  ata(owner: Address, mint: Address): Address;
}

export async function openRichSwap(): Promise<RichSwap> {
  const swap = await openTestSwap();
  const { network, genesis } = swap.market;
  const whale = network.newWallet(PLENTY);
  const [payer, stranger] = [network.newWallet(), network.newWallet()];
  const programOf = (mint: Address) => network.account(mint)?.owner ?? TOKEN_PROGRAM;
  const ata = (owner: Address, mint: Address) => deriveAssociatedTokenAddress(owner, mint, programOf(mint));
  for (const { mint } of genesis.tokens) {
    const create = [whale, stranger, payer].map((owner) =>
      createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram: programOf(mint) }),
    );
    const { error } = network.send(create, { feePayer: payer });
    if (error !== null) throw new Error(`accounts of ${mint} cannot be opened: ${error.kind}`);
    enrich(swap, ata(whale, mint));
  }
  return { swap, whale, payer, stranger, programOf, ata };
}

function enrich({ market: { network } }: TestSwap, account: Address): void {
  const found = network.account(account);
  if (found === null) throw new Error(`no token account ${account}`);
  const data = new Uint8Array(found.data);
  new DataView(data.buffer).setBigUint64(64, PLENTY, true);
  // Wrapped SOL is held as lamports.
  network.setAccount(account, { ...found, data, lamports: found.lamports + PLENTY });
}

/** Two tokens and an amount, often larger than any single pool. */
export function createSwapSizes({ market: { genesis } }: TestSwap) {
  const mint = fc.constantFrom(WRAPPED_SOL_MINT, ...genesis.tokens.map((token) => token.mint));
  const amount = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 8, max: 15 }));
  return {
    inputMint: mint,
    outputMint: mint,
    amount: amount.map(([digit, zeros]) => `${digit}${'0'.repeat(zeros)}`),
  };
}

/** Bytes and accounts of a transaction that is answered. */
export function measureTransaction(base64: string): { readonly bytes: number; readonly accounts: number } {
  const wire = Buffer.from(base64, 'base64');
  const { staticAccounts, lookups } = parseTransaction(wire).message;
  const lookedUp = lookups.reduce(
    (sum, { writable, readonly }) => sum + writable.length + readonly.length,
    0,
  );
  return { bytes: wire.length, accounts: staticAccounts.length + lookedUp };
}
