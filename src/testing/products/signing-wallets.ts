import { openTestMarket, type GenesisTestMarket } from '../genesis-market/open.ts';
import { LeapingTimers } from '../timers.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, type TokenAccount } from '../../solana/programs/token/account.ts';
import { ordinaryTokenAccount } from '../token-account.ts';
import { encodeMint, type Mint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { TokenPrice } from '../../market-data/market-data.ts';
import type { ReclaimDependencies } from '../../products/ultra/reclaim/craft-reclaim.ts';
import type { CraftedTransaction } from '../../transactions/signed/craft-signed.ts';
import type { ExecuteSignedDependencies, SignedRequest } from '../../transactions/signed/execute-signed.ts';
import { openSignedRuns } from '../../transactions/signed/signed-runs.ts';

/** The genesis market over LiteSVM, with what transactions of wallets are made of. What is a fact of the market can be set. */
export class TestWallets {
  readonly market: GenesisTestMarket;
  /** The first demo wallet. */
  readonly wallet: Keypair;
  readonly dependencies: ReclaimDependencies & ExecuteSignedDependencies;
  readonly verified = new Set<Address>();
  readonly prices = new Map<Address, Pick<TokenPrice, 'dollarsPerAtom'>>();
  readonly #fetchers: PositionFetcher[] = [];

  private constructor(market: GenesisTestMarket) {
    this.market = market;
    this.wallet = market.genesis.keys.demoWallets[0] as Keypair;
    let serial = 0;
    const timers = new LeapingTimers();
    this.dependencies = {
      runs: openSignedRuns({
        openExecutionStore: null,
        chain: market.chain,
        timers,
        newHolder: () => 'holder',
        onDefect: (error) => {
          throw error;
        },
      }),
      chain: market.chain,
      describeFailure: market.describeFailure,
      timers,
      pools: market.pools,
      marketData: { price: (mint) => (this.prices.get(mint) ?? null) as TokenPrice | null },
      tokens: { isVerified: (mint) => this.verified.has(mint) },
      positionFetchers: this.#fetchers,
      knowsAllPools: true,
      sealKey: new Uint8Array(32).fill(9),
      nextSerial: () => serial++,
    };
  }

  static async open(): Promise<TestWallets> {
    return new TestWallets(await openTestMarket('without programs'));
  }

  /** Replaces the fetchers that the dependencies have. */
  set fetchers(fetchers: readonly PositionFetcher[]) {
    this.#fetchers.splice(0, this.#fetchers.length, ...fetchers);
  }

  close(): void {
    this.market.pools.close();
  }

  sign({ requestId, wire }: CraftedTransaction, by: Keypair = this.wallet): SignedRequest {
    const { messageBytes } = parseTransaction(wire);
    const signedTransaction = Buffer.from(signTransaction(messageBytes, [by])).toString('base64');
    return { requestId, signedTransaction };
  }

  lamports(address: Address): bigint {
    return this.market.network.account(address)?.lamports ?? 0n;
  }

  /** Creates a mint. Default: an ordinary one, without authorities. */
  newMint(changes: Partial<Mint> = {}, program: Address = TOKEN_PROGRAM): Address {
    const mint = this.market.network.newAddress();
    const plain = { mintAuthority: null, supply: 1_000_000_000n, decimals: 6, freezeAuthority: null };
    const data = encodeMint({ ...plain, extensions: [], ...changes });
    this.#put(mint, program, data);
    return mint;
  }

  /** Puts a token account on the network. Default: empty, at the associated address. */
  give(
    owner: Address,
    mint: Address,
    changes: Partial<TokenAccount> = {},
    { program = TOKEN_PROGRAM, address, extraLamports = 0n }: SigningAccountPlace = {},
  ): Address {
    const at = address ?? deriveAssociatedTokenAddress(owner, mint, program);
    const data = ordinaryTokenAccount({ mint, owner, amount: 0n, ...changes });
    this.#put(at, program, data, extraLamports);
    return at;
  }

  /** Changes a token account. */
  change(address: Address, changes: Partial<TokenAccount>): void {
    const account = this.market.network.account(address);
    if (account === null) throw new Error(`there is no account ${address}`);
    const data = ordinaryTokenAccount({ ...decodeTokenAccount(account.data), ...changes });
    this.market.network.setAccount(address, { ...account, data });
  }

  #put(address: Address, owner: Address, data: Uint8Array, extraLamports = 0n): void {
    const lamports = computeRentExemptMinimum(data.length) + extraLamports;
    this.market.network.setAccount(address, { owner, data, lamports, executable: false, rentEpoch: 0n });
  }
}

interface SigningAccountPlace {
  readonly program?: Address;
  readonly address?: Address;
  readonly extraLamports?: bigint;
}

/** An address by its number. */
export function createNumberedAddress(index: number): Address {
  const bytes = new Uint8Array(32).fill(91);
  new DataView(bytes.buffer).setUint32(0, index);
  return toAddress(bytes);
}
