import {
  type Account,
  type AccountFilter,
  type AccountUpdate,
  type AccountView,
  type AddressField,
  type HeldToken,
  matchesAccountFilter,
} from '../../chain/accounts.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { splitIntoPieces, createUnaccountedWork } from '../../common/work/work.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { isTokenProgram, SYSVAR_CLOCK, SYSVAR_OWNER } from '../../solana/program-addresses.ts';
import { isTokenAccount } from '../../solana/programs/token/account.ts';

/** The offset of the owner in a token account. */
const TOKEN_OWNER_AT = 32;

/** A view of accounts in memory that counts its calls. */
export class TestView implements AccountView {
  readonly accounts = new Map<Address, Account>();
  /** The number of addresses of each call. Reads in one turn are one call, as in the real views. */
  readonly reads: number[] = [];
  /** The programs that were searched. */
  readonly searched: Address[] = [];
  slot = 100n;
  maxCalls: number | null = null;
  maxAccounts: number | null = null;
  #isCounting = false;

  constructor(accounts: Iterable<{ readonly address: Address; readonly account: Account }> = []) {
    for (const { address, account } of accounts) this.accounts.set(address, account);
    this.setClock({ epoch: 0n, unixTimestamp: 1_800_000_000n });
  }

  set(address: Address, owner: Address, data: Uint8Array, lamports = 1_000_000_000n): void {
    this.accounts.set(address, { owner, data, lamports, executable: false, rentEpoch: 0n });
  }

  setClock({ epoch, unixTimestamp }: { readonly epoch: bigint; readonly unixTimestamp: bigint }): void {
    const data = new ByteWriter(40).u64(this.slot).i64(0n).u64(epoch).u64(epoch).i64(unixTimestamp).finish();
    this.set(SYSVAR_CLOCK, SYSVAR_OWNER, data);
  }

  indexes() {
    return true;
  }

  slots() {
    return { oldest: this.slot, newest: this.slot };
  }

  async getAccounts(addresses: readonly Address[]) {
    const counted = this.#isCounting ? (this.reads.pop() ?? 0) : 0;
    this.reads.push(counted + addresses.length);
    this.#isCounting = true;
    queueMicrotask(() => {
      this.#isCounting = false;
    });
    return addresses.map((address) => this.#update(address));
  }

  async getProgramAccounts(program: Address, filter: AccountFilter = {}) {
    this.searched.push(program);
    return this.#select((account) => account.owner === program && matchesAccountFilter(filter, account.data));
  }

  async findAccounts(program: Address, { offset, dataSize }: AddressField, addresses: readonly Address[]) {
    this.searched.push(program);
    return this.#select(
      ({ owner, data }) =>
        owner === program &&
        addresses.some((address) =>
          matchesAccountFilter({ dataSize, memcmp: { offset, bytes: toAddressBytes(address) } }, data),
        ),
    );
  }

  async getAssociatedAccounts(owners: readonly Address[], tokens: readonly HeldToken[]) {
    return owners.map((owner) =>
      tokens.map(({ mint, program }) => {
        const update = this.#update(deriveAssociatedTokenAddress(owner, mint, program));
        return update.account === null ? null : update;
      }),
    );
  }

  async *tokenAccounts(owner: Address) {
    const memcmp = { offset: TOKEN_OWNER_AT, bytes: toAddressBytes(owner) };
    const found = this.#select(
      (account) =>
        isTokenProgram(account.owner) &&
        isTokenAccount(account.data) &&
        matchesAccountFilter({ memcmp }, account.data),
    );
    yield* splitIntoPieces(found);
  }

  #update(address: Address) {
    return { address, slot: this.slot, account: this.accounts.get(address) ?? null };
  }

  #select(matches: (account: Account) => boolean) {
    const found = [...this.accounts].filter(([, account]) => matches(account));
    return found.map(([address]) => this.#update(address));
  }
}

/** Reads all pieces of the token accounts of a wallet. */
export async function readAllTokenAccounts(
  view: AccountView,
  owner: Address,
): Promise<readonly AccountUpdate[]> {
  const all: AccountUpdate[] = [];
  for await (const piece of view.tokenAccounts(owner, createUnaccountedWork())) all.push(...piece);
  return all;
}
