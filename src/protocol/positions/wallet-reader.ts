import type { Account, AccountFilter, AccountUpdate, AccountView } from '../../chain/accounts.ts';
import type { Timers } from '../../common/ports/timers.ts';
import {
  visitInTurns,
  UNITS_PER_TURN,
  createUnaccountedWork,
  type Work,
  WorkRefused,
} from '../../common/work/work.ts';
import type { Address } from '../../solana/address.ts';
import { decodeClock } from '../../solana/programs/clock.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { isTokenProgram, SYSVAR_CLOCK } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeMint, isMint } from '../../solana/programs/token/mint.ts';
import type { FoundAccount, PositionFetcher, WalletMint, WalletReader, WalletToken } from './fetcher.ts';
import { ReadRounds } from './rounds.ts';

/** The maximum number of token accounts of one wallet that are read. More would delay other requests. */
export const MAX_TOKEN_ACCOUNTS = 20_000;
/** The maximum number of accounts that a mint leads to: the mint, its metadata, and the positions of three venues. */
const ACCOUNTS_PER_MINT = 5;

/**
 * Opens a reader of one wallet over a view.
 *
 * @param fetchers - The fetchers whose claims make up `claimedMints`. A claim that fails claims nothing.
 * @param onClaimFailed - Called with the id of the fetcher.
 * @param isKnown - Whether tokens of the mint come first where a wallet has too many token accounts.
 * @param work - Whose turns the accounts are read in.
 *
 * @example
 * ```ts
 * import type { Chain } from '../../chain/chain.ts';
 * import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
 * import type { Address } from '../../solana/address.ts';
 * import type { Element } from './element.ts';
 * import { POSITION_FETCHERS } from '../../protocols/fetchers.ts';
 * import { openWalletReader } from './wallet-reader.ts';
 *
 * async function positionsOf(chain: Chain, owner: Address): Promise<readonly Element[]> {
 *   const fetchers = POSITION_FETCHERS;
 *   const reader = openWalletReader(chain.openView(), owner, fetchers, console.error, SYSTEM_TIMERS);
 *   const found = await Promise.all(fetchers.map((fetcher) => fetcher.fetch(reader)));
 *   return found.flatMap(({ elements }) => elements);
 * }
 * ```
 */
export function openWalletReader(
  view: AccountView,
  owner: Address,
  fetchers: readonly PositionFetcher[],
  onClaimFailed: (fetcherId: string, error: unknown) => void,
  timers: Pick<Timers, 'after'>,
  isKnown: (mint: Address) => boolean = () => false,
  work: Work = createUnaccountedWork(),
): WalletReader {
  const rounds = new ReadRounds(view, timers, work);
  const searches = memoized<readonly FoundAccount[]>();
  const mints = new MintReads(rounds, work);
  const found = new Set<Address>();
  const existing = (updates: readonly AccountUpdate[]): FoundAccount[] =>
    updates.flatMap(({ address, account }) => {
      found.add(address);
      return account === null ? [] : [{ address, account }];
    });
  const allTokens = once(async () => {
    const tokens: WalletToken[] = [];
    await rounds.search(async (asked) => {
      for await (const piece of asked.tokenAccounts(owner, work)) {
        for (const account of existing(piece)) tokens.push(...walletToken(account));
      }
    });
    return tokens;
  });
  const tokens = once(async () => firstTokens(await allTokens(), isKnown, view.maxAccounts));
  const select = (fits: (token: WalletToken) => boolean) =>
    once(async () => {
      const all = await tokens();
      // A turn would put off what the caller reads next, for which others of a small wallet wait.
      if (all.length <= UNITS_PER_TURN) return all.filter(fits);
      const selected: WalletToken[] = [];
      await visitInTurns(work, all, (token) => {
        if (fits(token)) selected.push(token);
      });
      return selected;
    });
  const reader: WalletReader = {
    owner,
    clock: once(async () => {
      const [clock] = await rounds.accounts([SYSVAR_CLOCK]);
      return decodeClock(clock?.data ?? new Uint8Array(0));
    }),
    tokens,
    heldTokens: select(({ amount }) => amount > 0n),
    singleTokens: select(({ amount }) => amount === 1n),
    omittedTokens: async () => (await allTokens()).length - (await tokens()).length,
    accounts: (addresses) => rounds.accounts(addresses),
    mints: (addresses) => mints.of(addresses),
    indexes: (program, field) => view.indexes(program, field),
    programAccounts: (program, filter) =>
      searches.get(filterKey(program, filter), async () =>
        existing(await rounds.search((asked) => asked.getProgramAccounts(program, filter))),
      ),
    findAccounts: async (program, field, addresses) => {
      if (addresses.length === 0) return [];
      const key = `${program} ${field.offset} ${field.dataSize} ${[...addresses].sort().join(' ')}`;
      const find = (asked: AccountView) => asked.findAccounts(program, field, addresses);
      return searches.get(key, async () =>
        existing(await (view.indexes(program, field) ? rounds.lookup(find) : rounds.search(find))),
      );
    },
    touched: () => [...new Set([owner, ...found, ...rounds.addresses()])],
    claimedMints: once(async () => {
      const claims = await Promise.all(
        fetchers.map(async ({ id, claims: claim }) => {
          try {
            return (await claim?.(reader)) ?? [];
          } catch (error) {
            if (error instanceof WorkRefused) throw error;
            onClaimFailed(id, error);
            return [];
          }
        }),
      );
      return new Set(claims.flatMap((claimed) => [...claimed]));
    }),
  };
  return reader;
}

/** Reads and decodes each mint once, because most fetchers ask for all mints of the wallet. */
class MintReads {
  readonly #rounds: ReadRounds;
  /** Null for an address that is no mint. */
  readonly #known = new Map<Address, WalletMint | null>();

  readonly #work: Work;

  constructor(rounds: ReadRounds, work: Work) {
    this.#rounds = rounds;
    this.#work = work;
  }

  /** Addresses that are no mint are missing in the map. */
  async of(addresses: readonly Address[]): Promise<ReadonlyMap<Address, WalletMint>> {
    const unread = addresses.filter((address) => !this.#known.has(address));
    if (unread.length > 0) {
      const read = await this.#rounds.accounts(unread);
      const note = (address: Address, index: number) => {
        if (!this.#known.has(address))
          this.#known.set(address, decodeWalletMint(address, read[index] ?? null));
      };
      // A turn would put off what the caller reads next, for which others of a small wallet wait.
      if (unread.length <= UNITS_PER_TURN) unread.forEach(note);
      else await visitInTurns(this.#work, unread, note);
    }
    const mints = new Map<Address, WalletMint>();
    for (const address of addresses) {
      const mint = this.#known.get(address);
      if (mint != null) mints.set(address, mint);
    }
    return mints;
  }
}

/** Returns a map that runs the work of each key once, and returns the same promise afterwards. */
function memoized<T>() {
  const results = new Map<string, Promise<T>>();
  return {
    get: (key: string, run: () => Promise<T>): Promise<T> => {
      let result = results.get(key);
      if (result === undefined) {
        result = run();
        results.set(key, result);
      }
      return result;
    },
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => {
    result ??= read();
    result.catch(() => undefined);
    return result;
  };
}

/**
 * Selects the token accounts to read. Known tokens come first and empty accounts last, so that accounts that others
 * create do not displace them.
 *
 * @param maxAccounts - The maximum number of accounts that can be read, which limits the number of mints. Null for no
 *   limit.
 */
function firstTokens(
  tokens: readonly WalletToken[],
  isKnown: (mint: Address) => boolean,
  maxAccounts: number | null,
): readonly WalletToken[] {
  const maxMints = maxAccounts === null ? MAX_TOKEN_ACCOUNTS : Math.floor(maxAccounts / ACCOUNTS_PER_MINT);
  if (tokens.length <= Math.min(MAX_TOKEN_ACCOUNTS, maxMints)) return tokens;
  const rankOf = ({ mint, amount }: WalletToken) => (amount === 0n ? 2 : isKnown(mint) ? 0 : 1);
  const ranks: WalletToken[][] = [[], [], []];
  for (const token of tokens) ranks[rankOf(token)]?.push(token);
  const ranked = ranks.flat();
  const mints = new Set([...new Set(ranked.map(({ mint }) => mint))].slice(0, maxMints));
  return ranked.filter(({ mint }) => mints.has(mint)).slice(0, MAX_TOKEN_ACCOUNTS);
}

function walletToken({ address, account }: FoundAccount): WalletToken[] {
  if (!isTokenAccount(account.data)) return [];
  try {
    const { mint, amount, state } = decodeTokenAccount(account.data);
    return [{ address, program: account.owner, mint, amount, frozen: state === 'frozen' }];
  } catch (error) {
    if (error instanceof LayoutInvalid) return [];
    throw error;
  }
}

function decodeWalletMint(address: Address, account: Account | null): WalletMint | null {
  if (account === null || !isTokenProgram(account.owner) || !isMint(account.data)) return null;
  try {
    const { mintAuthority, supply, decimals, freezeAuthority, extensions } = decodeMint(account.data);
    return {
      mintAuthority,
      supply,
      decimals,
      freezeAuthority,
      extensions,
      address,
      program: account.owner,
    };
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

function filterKey(program: Address, { dataSize, memcmp }: AccountFilter): string {
  const bytes = memcmp === undefined ? '' : Buffer.from(memcmp.bytes).toString('base64');
  return `${program} ${dataSize ?? ''} ${memcmp?.offset ?? ''} ${bytes}`;
}
