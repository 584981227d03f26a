import { ConcurrencyLimit } from '../../../common/collections/concurrency-limit.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import {
  mapInTurns,
  splitIntoPieces,
  UNITS_PER_TURN,
  createUnaccountedWork,
  type Work,
} from '../../../common/work/work.ts';
import { ADDRESS_BYTES, type Address, toAddressBytes, toAddress } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { isTokenProgram, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { isTokenAccount } from '../../../solana/programs/token/account.ts';
import {
  type Account,
  type AccountFilter,
  type AccountUpdate,
  type AccountView,
  type AddressField,
  type HeldToken,
  matchesAccountFilter,
} from '../../accounts.ts';
import { ChainUnavailable, type Commitment } from '../../chain.ts';
import { computeShareOfCalls } from '../client/call-pace.ts';
import { READ, type RpcClient, RpcRefusal } from '../client/rpc-client.ts';
import { requireInContext } from '../client/read-json.ts';
import { splitIntoChunks, readAccounts } from './account-reads.ts';
import { parseAccountsInTurns } from '../client/long-lists.ts';
import { ACCOUNTS_PER_CALL, createAccountConfig, readProgramAccountsInTurns } from './read-accounts.ts';

/** Where a token account holds its owner. */
const OWNER_AT = 32;
/** How many addresses are worth a call each, rather than one call for every account of the program. */
const MAX_FOUND_ONE_BY_ONE = 4;

/** The calls that one view makes at most, so that no request can flood the RPC, unless its caller says how many it needs. */
export const CALLS_PER_VIEW = 64;
/** A view makes no more calls than its caller can make in this time, because a request may not take much longer. */
const MAX_SECONDS = 10;
/** The part of a view's calls that is reserved for searches, and for reads that fit into one call. */
const RESERVED = 1 / 4;
/**
 * A view makes one call at a time for every eight that it may make in all. With more at a time, its own calls would wait for
 * each other until they are refused: see `CallPace`.
 */
const CALLS_PER_PLACE = 8;

/** @param calls - How many the reads take, if that is known. */
export function computeMaxCallsOfView(calls: number, callsPerSecond: number): number {
  return Math.min(Math.max(calls, CALLS_PER_VIEW), computeShareOfCalls(callsPerSecond) * MAX_SECONDS);
}

export interface RpcAccountViewOptions {
  readonly client: Pick<RpcClient, 'call'>;
  /** The most calls that the view makes. */
  readonly maxCalls: number;
  readonly commitment: Commitment;
  /** The newest slot that is known at the commitment. Answers as of an earlier one are refused. */
  readonly slot: bigint;
  /** Throws `OperatorError` for a slot that the network cannot have reached. */
  readonly requirePlausible: (slot: bigint) => void;
  /** The accounts that programs have, for RPCs that refuse `getProgramAccounts`. With null, the RPC is asked. */
  readonly programAccounts: readonly Address[] | null;
  /** Returns where accounts of a program may be whose field holds one of the addresses; null if it takes a search. */
  readonly candidates: (
    program: Address,
    field: AddressField,
    addresses: readonly Address[],
  ) => readonly Address[] | null;
}

/** Accounts that were asked for. */
interface PendingAccountRead {
  readonly addresses: readonly Address[];
  readonly resolve: (updates: readonly AccountUpdate[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A view over an outside RPC. The RPC answers each call as of its newest slot, so reads may be some slots apart;
 * `minContextSlot` keeps a lagging node from answering with a state that is older than what was read already.
 */
export class RpcAccountView implements AccountView {
  readonly maxCalls: number;
  readonly maxAccounts: number;
  readonly #options: RpcAccountViewOptions;
  readonly #limit: ConcurrencyLimit;
  /** Reads of more accounts than one call returns stop before the calls that are reserved. */
  readonly #maxCallsOfLong: number;
  #calls = 0;
  #oldest: bigint | null = null;
  #newest: bigint;
  #pending: PendingAccountRead[] = [];

  constructor(options: RpcAccountViewOptions) {
    const { maxCalls } = options;
    this.#options = options;
    this.maxCalls = maxCalls;
    this.#maxCallsOfLong = maxCalls - Math.floor(maxCalls * RESERVED);
    this.maxAccounts = this.#maxCallsOfLong * ACCOUNTS_PER_CALL;
    this.#limit = new ConcurrencyLimit(
      Math.max(1, Math.floor(maxCalls / CALLS_PER_PLACE)),
      Number.POSITIVE_INFINITY,
      () => new ChainUnavailable('too many calls of one request wait'),
    );
    this.#newest = options.slot;
  }

  slots(): { readonly oldest: bigint; readonly newest: bigint } {
    return { oldest: this.#oldest ?? this.#newest, newest: this.#newest };
  }

  indexes(program: Address, field: AddressField): boolean {
    return this.#options.candidates(program, field, []) !== null;
  }

  /** Accounts that are asked for together are read with as few calls as they fit into. */
  getAccounts(addresses: readonly Address[]): Promise<readonly AccountUpdate[]> {
    return new Promise((resolve, reject) => {
      const isFirst = this.#pending.push({ addresses, resolve, reject }) === 1;
      if (isFirst) queueMicrotask(() => this.#readPending());
    });
  }

  async getProgramAccounts(program: Address, filter: AccountFilter = {}): Promise<readonly AccountUpdate[]> {
    if (this.#options.programAccounts !== null) {
      throw new ChainUnavailable(
        `accounts of ${program} cannot be searched, because rpc-pool is set for an RPC without getProgramAccounts`,
        'refused',
      );
    }
    const found = await this.#search(
      'getProgramAccounts',
      () => [program, { ...this.#config(filter), withContext: true }],
      program,
    );
    return found.filter(({ account }) => account !== null && matchesAccountFilter(filter, account.data));
  }

  /**
   * Programs that are watched need no search. A few addresses are found one by one. More of them are looked for among all
   * accounts of that length, or of that beginning if the length may be any.
   */
  async findAccounts(
    program: Address,
    field: AddressField,
    addresses: readonly Address[],
  ): Promise<readonly AccountUpdate[]> {
    const { offset, dataSize, startsWith } = field;
    const wanted = [...new Set(addresses)];
    const bytes = new Set(wanted);
    const holdsWanted = ({ account }: AccountUpdate) =>
      account !== null &&
      account.owner === program &&
      matchesAccountFilter({ dataSize }, account.data) &&
      account.data.length >= offset + ADDRESS_BYTES &&
      bytes.has(toAddress(account.data, offset));
    const candidates = this.#options.candidates(program, field, wanted);
    if (candidates !== null) return (await this.getAccounts(candidates)).filter(holdsWanted);
    const filterBy = (address: Address) => ({ dataSize, memcmp: { offset, bytes: toAddressBytes(address) } });
    if (wanted.length <= MAX_FOUND_ONE_BY_ONE) {
      const found = wanted.map((address) => this.getProgramAccounts(program, filterBy(address)));
      return (await Promise.all(found)).flat();
    }
    const all =
      dataSize === undefined && startsWith !== undefined
        ? { memcmp: { offset: 0, bytes: startsWith } }
        : { dataSize };
    return (await this.getProgramAccounts(program, all)).filter(holdsWanted);
  }

  /** RPC nodes have no index by owner and mint, so the addresses are derived, and read with as few calls as they fit into. */
  async getAssociatedAccounts(
    owners: readonly Address[],
    tokens: readonly HeldToken[],
    work: Work,
  ): Promise<readonly (readonly (AccountUpdate | null)[])[]> {
    const pairs = owners.flatMap((owner) => tokens.map((token) => ({ owner, ...token })));
    const addresses = await mapInTurns(work, pairs, ({ owner, mint, program }) =>
      deriveAssociatedTokenAddress(owner, mint, program),
    );
    const updates = await this.getAccounts(addresses);
    const found = await mapInTurns(work, updates, (update, index) => {
      const { account } = update;
      if (account === null || !isTokenProgram(account.owner)) return null;
      const isOfOther =
        isTokenAccount(account.data) && toAddress(account.data, OWNER_AT) !== pairs[index]?.owner;
      return isOfOther ? null : update;
    });
    return owners.map((_, row) => found.slice(row * tokens.length, (row + 1) * tokens.length));
  }

  async *tokenAccounts(owner: Address, work: Work): AsyncGenerator<readonly AccountUpdate[]> {
    const programs = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
    const found = await Promise.all(
      programs.map((programId) =>
        this.#search(
          'getTokenAccountsByOwner',
          () => [owner, { programId }, this.#config()],
          programId,
          work,
        ),
      ),
    );
    const ownerBytes = toAddressBytes(owner);
    const isOwned = ({ data }: Account) =>
      isTokenAccount(data) && matchesAccountFilter({ memcmp: { offset: OWNER_AT, bytes: ownerBytes } }, data);
    for (const piece of splitIntoPieces(found.flat(), bytesOfUpdate)) {
      const turn = work.take(UNITS_PER_TURN);
      if (turn !== null) await turn;
      for (const { address, account } of piece) {
        if (account === null || !isOwned(account))
          throw new ChainUnavailable(`the RPC named ${address} as a token account of ${owner}`);
      }
      yield piece;
    }
  }

  /** A call that fails, or is one too many, fails only the reads that need it. */
  #readPending(): void {
    const asked = this.#pending;
    this.#pending = [];
    const isLong = ({ addresses }: PendingAccountRead) => addresses.length > ACCOUNTS_PER_CALL;
    const calls = new Map<Address, Promise<ReadonlyMap<Address, AccountUpdate>>>();
    const call = (reads: readonly PendingAccountRead[], maxCalls: number) => {
      const unread = new Set(reads.flatMap(({ addresses }) => addresses).filter((each) => !calls.has(each)));
      for (const chunk of splitIntoChunks([...unread])) {
        const read = this.#readChunk(chunk, maxCalls);
        for (const address of chunk) calls.set(address, read);
      }
    };
    call(
      asked.filter((read) => !isLong(read)),
      this.maxCalls,
    );
    call(asked.filter(isLong), this.#maxCallsOfLong);
    for (const { addresses, resolve, reject } of asked) {
      const needed = new Set(addresses.flatMap((address) => calls.get(address) ?? []));
      Promise.all(needed).then((found) => {
        const byAddress = new Map(found.flatMap((updates) => [...updates]));
        resolve(addresses.flatMap((address) => byAddress.get(address) ?? []));
      }, reject);
    }
  }

  async #readChunk(
    chunk: readonly Address[],
    maxCalls: number,
  ): Promise<ReadonlyMap<Address, AccountUpdate>> {
    this.#count('getMultipleAccounts', maxCalls);
    const { client, commitment, requirePlausible } = this.#options;
    const read = () => readAccounts(client, chunk, commitment, this.#newest, requirePlausible);
    const updates = this.#note(await this.#limit.run(false, read));
    return new Map(updates.map((update) => [update.address, update]));
  }

  /** @param params - Called when the call begins, so that it asks for a state that is not older than what was read by then. */
  async #search(
    method: string,
    params: () => readonly unknown[],
    program: Address,
    work: Work = createUnaccountedWork(),
  ): Promise<AccountUpdate[]> {
    this.#count(method);
    return this.#limit.run(false, () => this.#find(method, params(), program, work));
  }

  async #find(
    method: string,
    params: readonly unknown[],
    program: Address,
    work: Work,
  ): Promise<AccountUpdate[]> {
    const minSlot = this.#newest;
    const read = (result: unknown) => {
      const { slot } = requireInContext(result);
      this.#options.requirePlausible(slot);
      if (slot < minSlot)
        throw new OperatorError(`accounts as of slot ${slot}, but was asked for ${minSlot} at least`);
      this.#noteSlot(slot);
      return readProgramAccountsInTurns(result, program, work);
    };
    try {
      return await this.#options.client.call(method, params, read, READ, (text) =>
        parseAccountsInTurns(text, work),
      );
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      throw new ChainUnavailable(`the RPC refuses ${method} of ${program}: ${error.message}`, 'refused');
    }
  }

  #config(filter: AccountFilter = {}) {
    const config = createAccountConfig(this.#options.commitment, filter);
    return this.#newest === 0n ? config : { ...config, minContextSlot: Number(this.#newest) };
  }

  #count(method: string, maxCalls = this.maxCalls): void {
    if (this.#calls >= maxCalls) {
      throw new ChainUnavailable(
        `${method} would be call ${this.#calls + 1} of this request to the RPC, but at most ${maxCalls} may be made for it`,
        'refused',
      );
    }
    this.#calls++;
  }

  #note(updates: AccountUpdate[]): AccountUpdate[] {
    for (const { slot } of updates) this.#noteSlot(slot);
    return updates;
  }

  #noteSlot(slot: bigint): void {
    if (this.#oldest === null || slot < this.#oldest) this.#oldest = slot;
    if (slot > this.#newest) this.#newest = slot;
  }
}

function bytesOfUpdate({ account }: AccountUpdate): number {
  return account?.data.length ?? 0;
}
