import { type Address, addressBytes } from '../../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import { setComputeUnitLimit } from '../../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import { mintTo, syncNative } from '../../../solana/programs/token/instructions.ts';
import { decodeMint, isMint } from '../../../solana/programs/token/mint.ts';
import { signTransaction } from '../../../solana/messages/transaction.ts';
import { U64_MAX } from '../../../solana/units.ts';
import type { Account } from '../../chain.ts';
import { FaucetRefused } from '../ledger/bank.ts';
import { parseIncoming } from '../ledger/incoming.ts';
import { type ProcessedTransaction, processTransaction } from '../runtime/process-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Generous for creating a token account and minting into it, with the extensions that a mint may have. */
const UNIT_LIMIT = 300_000;
/** So many transactions of one blockhash can be told apart by their limit. */
const UNIT_LIMITS = 100_000;

/** Of a mint's data: whether it has an authority (u32), and which. */
const AUTHORITY_TAG = 0;
const AUTHORITY = 4;
const AUTHORITY_END = 36;

/** Gives lamports and tokens away by real transactions, so that supplies stay right and histories tell of it. */
export class Faucet {
  readonly #payer: Keypair;
  readonly #mintAuthorities: readonly Keypair[];
  #requests = 0;

  constructor(payer: Keypair, mintAuthorities: readonly Keypair[]) {
    this.#payer = payer;
    this.#mintAuthorities = mintAuthorities;
  }

  /** Lands a transfer as number `index` of the open slot. Throws `FaucetRefused` for an amount out of range. */
  airdrop(ledger: Ledger, index: number, wallet: Address, lamports: bigint): ProcessedTransaction {
    checkAmount(lamports, 'lamports');
    return this.#land(
      ledger,
      index,
      [transferLamports(this.#payer.address, wallet, lamports)],
      [this.#payer],
    );
  }

  /** Lands a mint to the wallet's associated account. Throws `FaucetRefused` when there is no such mint. */
  mint(
    ledger: Ledger,
    index: number,
    { wallet, mint, amount }: TokenGift,
  ): { landing: ProcessedTransaction; account: Address } {
    checkAmount(amount, `atoms of ${mint}`);
    const held = ledger.accounts.get(mint);
    if (held === null || !isMintAccount(held))
      throw new FaucetRefused(`${mint} is not a mint of this network`);
    const payer = this.#payer;
    const tokenProgram = held.owner;
    const account = associatedTokenAddress(wallet, mint, tokenProgram);
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

  #land(
    ledger: Ledger,
    index: number,
    instructions: readonly Instruction[],
    signers: readonly Keypair[],
  ): ProcessedTransaction {
    // Two requests for the same would be one transaction, if it were not for the limit.
    const limit = setComputeUnitLimit(UNIT_LIMIT + (this.#requests++ % UNIT_LIMITS));
    const message = compileMessage({
      feePayer: this.#payer.address,
      blockhash: ledger.blocks.tip.hash,
      instructions: [limit, ...instructions],
      // As the faucets of public networks: clients that know only legacy transactions can read it back.
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

/** Lends the mint's authority for one transaction, for mints whose authority is a key that only mainnet's issuer has. */
function withMintAuthority(
  ledger: Ledger,
  mint: Address,
  authority: Address,
  run: () => ProcessedTransaction,
): ProcessedTransaction {
  const original = ledger.accounts.get(mint)?.data.slice(AUTHORITY_TAG, AUTHORITY_END);
  const lent = new Uint8Array(AUTHORITY_END);
  lent[AUTHORITY_TAG] = 1;
  lent.set(addressBytes(authority), AUTHORITY);
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
  throw new FaucetRefused(`the amount must be from 1 to ${U64_MAX} ${what}, got ${amount}`);
}
