import type { Account } from '../../chain/accounts.ts';
import type { AddressedAccount } from '../../chain/records/records.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  TOKEN_ACCOUNT_SIZE,
} from '../../solana/programs/token/account.ts';
import {
  type Extension,
  ExtensionType,
  computeExtendedSize,
} from '../../solana/programs/token/extensions.ts';
import { U64_MAX } from '../../solana/units.ts';

/** The parts of a mint on which the layout of its token accounts depends. */
export interface LedgerMint {
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The extensions of each new account of this mint, in the order of Token-2022. */
  readonly accountExtensions: readonly Extension[];
}

export interface TokenHolding {
  readonly owner: Address;
  readonly amount: bigint;
}

/** The Token-2022 extension of all associated accounts, which comes before those that the mint requires. */
const IMMUTABLE_OWNER: Extension = { type: ExtensionType.IMMUTABLE_OWNER, data: new Uint8Array(0) };

/** The value that the runtime sets for rent-exempt accounts. */
const RENT_EXEMPT_EPOCH = U64_MAX;

/**
 * Collects the accounts of a genesis, each address once, and counts how much of each mint its token accounts hold.
 *
 * @example
 * ```ts
 * import { AccountLedger } from './account-ledger.ts';
 * import { DEFAULT_SEED, deriveGenesisKeys } from './keys.ts';
 *
 * const ledger = new AccountLedger();
 * ledger.addWallet(deriveGenesisKeys(DEFAULT_SEED).faucet.address, 1_000_000_000n);
 * ledger.accounts(); // one wallet with 1 SOL
 * ```
 */
export class AccountLedger {
  readonly #accounts = new Map<Address, Account>();
  readonly #supplies = new Map<Address, bigint>();

  /** Returns the accounts in the order in which they were added. */
  accounts(): AddressedAccount[] {
    return [...this.#accounts].map(([address, account]) => ({ address, account }));
  }

  /** Returns the sum of `mint` in all token accounts that were added so far, in atoms. */
  supplyOf(mint: Address): bigint {
    return this.#supplies.get(mint) ?? 0n;
  }

  addWallet(address: Address, lamports: bigint): void {
    this.#add(address, SYSTEM_PROGRAM, new Uint8Array(0), lamports);
  }

  /** Adds an account of a program. It has the rent-exempt minimum and `lamports` in addition. */
  addData(address: Address, owner: Address, data: Uint8Array, lamports = 0n): void {
    this.#add(address, owner, data, computeRentExemptMinimum(data.length) + lamports);
  }

  /** Adds a token account at an address that its owner chose, such as a pool's vault. */
  addTokens(address: Address, mint: LedgerMint, holding: TokenHolding): void {
    this.#addTokens(address, mint, holding, mint.accountExtensions);
  }

  /** Adds the wallet's associated token account. */
  addAssociatedTokens(mint: LedgerMint, holding: TokenHolding): void {
    const address = deriveAssociatedTokenAddress(holding.owner, mint.mint, mint.tokenProgram);
    const own = mint.tokenProgram === TOKEN_2022_PROGRAM ? [IMMUTABLE_OWNER] : [];
    this.#addTokens(address, mint, holding, [...own, ...mint.accountExtensions]);
  }

  /**
   * Moves tokens from an account that was added before to the associated account of an owner, which must not exist yet.
   *
   * @throws RangeError when the account does not hold them.
   */
  giveTokens(mint: LedgerMint, from: Address, holding: TokenHolding): void {
    const account = this.#accounts.get(from);
    if (account === undefined) throw new RangeError(`the genesis has no token account ${from}`);
    const token = decodeTokenAccount(account.data);
    if (token.amount < holding.amount || token.mint !== mint.mint) {
      throw new RangeError(`${from} does not hold ${holding.amount} of ${mint.mint}`);
    }
    const data = encodeTokenAccount({ ...token, amount: token.amount - holding.amount });
    this.#accounts.set(from, { ...account, data });
    this.#supplies.set(mint.mint, this.supplyOf(mint.mint) - holding.amount);
    this.addAssociatedTokens(mint, holding);
  }

  #addTokens(
    address: Address,
    { mint, tokenProgram }: LedgerMint,
    { owner, amount }: TokenHolding,
    extensions: readonly Extension[],
  ): void {
    const native = mint === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM;
    const size =
      extensions.length === 0
        ? TOKEN_ACCOUNT_SIZE
        : computeExtendedSize(extensions.map(({ data }) => data.length));
    const rent = computeRentExemptMinimum(size);
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
    // Wrapping SOL mints nothing: the supply of its mint is zero on every network.
    if (!native) this.#supplies.set(mint, this.supplyOf(mint) + amount);
  }

  #add(address: Address, owner: Address, data: Uint8Array, lamports: bigint): void {
    if (this.#accounts.has(address)) throw new Error(`the genesis writes account ${address} twice`);
    this.#accounts.set(address, { lamports, owner, data, executable: false, rentEpoch: RENT_EXEMPT_EPOCH });
  }
}
