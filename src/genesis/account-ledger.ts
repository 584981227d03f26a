import type { Account } from '../chain/chain.ts';
import type { AddressedAccount } from '../chain/embedded/records/records.ts';
import type { Address } from '../solana/address.ts';
import { associatedTokenAddress } from '../solana/pda.ts';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../solana/program-addresses.ts';
import { rentExemptMinimum } from '../solana/rent.ts';
import { encodeTokenAccount, TOKEN_ACCOUNT_SIZE } from '../solana/programs/token/account.ts';
import { type Extension, ExtensionType, extendedSize } from '../solana/programs/token/extensions.ts';
import { U64_MAX } from '../solana/units.ts';

/** A mint, as far as its token accounts depend on it. */
export interface LedgerMint {
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The extensions that every account of this mint has from its creation, as Token-2022 orders them. */
  readonly accountExtensions: readonly Extension[];
}

export interface TokenHolding {
  readonly owner: Address;
  readonly amount: bigint;
}

/** What associated accounts have of Token-2022 besides what the mint demands; it comes first. */
const IMMUTABLE_OWNER: Extension = { type: ExtensionType.IMMUTABLE_OWNER, data: new Uint8Array(0) };

/** What the runtime sets for accounts that are exempt from rent. */
const RENT_EXEMPT_EPOCH = U64_MAX;

/** Collects the accounts of a genesis, each once, and counts what its token accounts hold of each mint. */
export class AccountLedger {
  readonly #accounts = new Map<Address, Account>();
  readonly #supplies = new Map<Address, bigint>();

  /** In the order in which they were added. */
  accounts(): AddressedAccount[] {
    return [...this.#accounts].map(([address, account]) => ({ address, account }));
  }

  /** What the token accounts of `mint` that were added so far hold together, in atoms. */
  supplyOf(mint: Address): bigint {
    return this.#supplies.get(mint) ?? 0n;
  }

  addWallet(address: Address, lamports: bigint): void {
    this.#add(address, SYSTEM_PROGRAM, new Uint8Array(0), lamports);
  }

  /** An account of a program, exempt from rent, with so many lamports beyond it. */
  addData(address: Address, owner: Address, data: Uint8Array, lamports = 0n): void {
    this.#add(address, owner, data, rentExemptMinimum(data.length) + lamports);
  }

  /** A token account at an address that its owner chose, as pools do for their vaults. */
  addTokens(address: Address, mint: LedgerMint, holding: TokenHolding): void {
    this.#addTokens(address, mint, holding, mint.accountExtensions);
  }

  /** The wallet's associated token account. */
  addAssociatedTokens(mint: LedgerMint, holding: TokenHolding): void {
    const address = associatedTokenAddress(holding.owner, mint.mint, mint.tokenProgram);
    const own = mint.tokenProgram === TOKEN_2022_PROGRAM ? [IMMUTABLE_OWNER] : [];
    this.#addTokens(address, mint, holding, [...own, ...mint.accountExtensions]);
  }

  #addTokens(
    address: Address,
    { mint, tokenProgram }: LedgerMint,
    { owner, amount }: TokenHolding,
    extensions: readonly Extension[],
  ): void {
    const native = mint === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM;
    const size =
      extensions.length === 0 ? TOKEN_ACCOUNT_SIZE : extendedSize(extensions.map(({ data }) => data.length));
    const rent = rentExemptMinimum(size);
    const data = encodeTokenAccount({
      mint,
      owner,
      amount,
      delegate: null,
      state: 'initialized',
      nativeReserve: native ? rent : null,
      delegatedAmount: 0n,
      closeAuthority: null,
      extensions,
    });
    this.#add(address, tokenProgram, data, native ? rent + amount : rent);
    // Wrapping SOL mints nothing: the supply of its mint stays zero on every network.
    if (!native) this.#supplies.set(mint, this.supplyOf(mint) + amount);
  }

  #add(address: Address, owner: Address, data: Uint8Array, lamports: bigint): void {
    if (this.#accounts.has(address)) throw new Error(`the genesis writes account ${address} twice`);
    this.#accounts.set(address, { lamports, owner, data, executable: false, rentEpoch: RENT_EXEMPT_EPOCH });
  }
}
