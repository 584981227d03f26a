import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import { setDistinctUnitLimit } from '../../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { mintTo, syncNative } from '../../../solana/programs/token/instructions.ts';
import { decodeMint, isMint } from '../../../solana/programs/token/mint.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';
import { signTransaction } from '../../../solana/messages/transaction.ts';
import { U64_MAX } from '../../../solana/units.ts';
import type { Account } from '../../accounts.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import { parseIncoming } from '../ledger/incoming-transaction.ts';
import { type ProcessedTransaction, processTransaction } from '../runtime/process-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * The lamports that the faucet keeps, because the same key pays the fees for publishing prices and updating stake pools.
 * Prices alone cost about 10 SOL a year.
 */
const KEPT_LAMPORTS = 100_000_000_000n;
/** Enough for creating a token account and minting into it, with any extensions of the mint. */
const UNIT_LIMIT = 300_000;

/** Offset in a mint's data of the option tag (u32) of its authority, which follows the tag. */
const AUTHORITY_TAG = 0;
const AUTHORITY = 4;
const AUTHORITY_END = 36;

/** Gives away lamports and tokens with real transactions, so that supplies and histories stay correct. */
export class Faucet {
  readonly #payer: Keypair;
  readonly #mintAuthorities: readonly Keypair[];
  #requests = 0;

  constructor(payer: Keypair, mintAuthorities: readonly Keypair[]) {
    this.#payer = payer;
    this.#mintAuthorities = mintAuthorities;
  }

  /**
   * Processes a transfer as transaction `index` of the open slot.
   *
   * @throws NetworkRefused for an amount out of range, or above what the faucet has to give.
   */
  airdrop(ledger: Ledger, index: number, wallet: Address, lamports: bigint): ProcessedTransaction {
    checkAmount(lamports, 'lamports');
    this.#checkLeft(ledger, lamports);
    return this.#land(
      ledger,
      index,
      [transferLamports(this.#payer.address, wallet, lamports)],
      [this.#payer],
    );
  }

  /**
   * Mints to the wallet's associated token account.
   *
   * @throws NetworkRefused when there is no such mint, or the faucet has too few lamports.
   */
  mint(
    ledger: Ledger,
    index: number,
    { wallet, mint, amount }: TokenGift,
  ): { landing: ProcessedTransaction; account: Address } {
    checkAmount(amount, `atoms of ${mint}`);
    this.#checkLeft(ledger, mint === WRAPPED_SOL_MINT ? amount : 0n);
    const held = ledger.accounts.get(mint);
    if (held === null || !isMintAccount(held))
      throw new NetworkRefused('request', `${mint} is not a mint of this network`);
    const payer = this.#payer;
    const tokenProgram = held.owner;
    const account = deriveAssociatedTokenAddress(wallet, mint, tokenProgram);
    const create = createAssociatedTokenIdempotent({
      payer: payer.address,
      owner: wallet,
      mint,
      tokenProgram,
    });
    if (mint === WRAPPED_SOL_MINT) {
      const wrap = [transferLamports(payer.address, account, amount), syncNative(tokenProgram, account)];
      return { landing: this.#land(ledger, index, [create, ...wrap], [payer]), account };
    }
    const { mintAuthority } = decodeMint(held.data);
    const authority = this.#mintAuthorities.find((keypair) => keypair.address === mintAuthority) ?? payer;
    const mintIt = mintTo(tokenProgram, { mint, account, authority: authority.address, amount });
    const signers = authority === payer ? [payer] : [payer, authority];
    const run = () => this.#land(ledger, index, [create, mintIt], signers);
    const landing =
      authority.address === mintAuthority ? run() : withMintAuthority(ledger, mint, authority.address, run);
    return { landing, account };
  }

  #checkLeft(ledger: Ledger, lamports: bigint): void {
    const left = ledger.accounts.get(this.#payer.address)?.lamports ?? 0n;
    const most = left > KEPT_LAMPORTS ? left - KEPT_LAMPORTS : 0n;
    if (lamports < most) return;
    throw new NetworkRefused(
      'request',
      `the faucet can give less than ${most} lamports, got ${lamports}: it keeps ${KEPT_LAMPORTS} for the network's own transactions`,
    );
  }

  #land(
    ledger: Ledger,
    index: number,
    instructions: readonly Instruction[],
    signers: readonly Keypair[],
  ): ProcessedTransaction {
    // Different limits keep two equal requests from being one transaction.
    const limit = setDistinctUnitLimit(UNIT_LIMIT, this.#requests++);
    const message = compileGift({
      feePayer: this.#payer.address,
      blockhash: ledger.blocks.tip.hash,
      instructions: [limit, ...instructions],
      // Like the faucets of public networks, so that clients that only know legacy transactions can read it.
      version: 'legacy',
    });
    return processTransaction(ledger, parseIncoming(signTransaction(message, signers)), index);
  }
}

export interface TokenGift {
  readonly wallet: Address;
  readonly mint: Address;
  readonly amount: bigint;
}

/** @throws NetworkRefused if the wallet is a program that the gift itself calls, to which nothing can be given. */
function compileGift(draft: Parameters<typeof compileMessage>[0]): Uint8Array {
  try {
    return compileMessage(draft);
  } catch (error) {
    if (error instanceof TransactionInvalid) throw new NetworkRefused('request', error.message);
    throw error;
  }
}

/** Replaces the mint's authority during one transaction, for mints whose authority key only mainnet's issuer has. */
function withMintAuthority(
  ledger: Ledger,
  mint: Address,
  authority: Address,
  run: () => ProcessedTransaction,
): ProcessedTransaction {
  const original = ledger.accounts.get(mint)?.data.slice(AUTHORITY_TAG, AUTHORITY_END);
  const lent = new Uint8Array(AUTHORITY_END);
  lent[AUTHORITY_TAG] = 1;
  lent.set(toAddressBytes(authority), AUTHORITY);
  patchData(ledger, mint, lent);
  try {
    return run();
  } finally {
    if (original !== undefined) patchData(ledger, mint, original);
  }
}

function patchData(ledger: Ledger, address: Address, beginning: Uint8Array): void {
  const account = ledger.accounts.get(address);
  if (account === null) return;
  const data = account.data.slice();
  data.set(beginning);
  ledger.write([[address, { ...account, data }]]);
}

function isMintAccount({ owner, data }: Account): boolean {
  return (owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM) && isMint(data);
}

function checkAmount(amount: bigint, what: string): void {
  if (amount > 0n && amount <= U64_MAX) return;
  throw new NetworkRefused('request', `the amount must be from 1 to ${U64_MAX} ${what}, got ${amount}`);
}
