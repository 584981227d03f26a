import type { Account } from '../../chain/accounts.ts';
import { buildGenesis, type Genesis } from '../../sandbox/genesis/build-genesis.ts';
import { tokenProgramOf } from '../../protocol/genesis/mints.ts';
import { type TokenInfo, findTokenByMint, findTokenBySymbol } from '../../solana/known-tokens.ts';
import type { Address } from '../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { mintTo, syncNative, transferChecked } from '../../solana/programs/token/instructions.ts';
import { type TestOutcome, TestNetwork } from './network.ts';

/** The accounts of a genesis in a test network, and what wallets do there. */
export class GenesisNetwork {
  readonly genesis: Genesis;
  readonly network: TestNetwork;
  /** The first two demo wallets. */
  readonly alice: Address;
  readonly bob: Address;

  constructor(programs: readonly string[] = [], without: ReadonlySet<Address> = new Set()) {
    this.genesis = buildGenesis('genesis in the runtime');
    this.network = new TestNetwork(programs);
    for (const { address, account } of this.genesis.accounts) {
      if (!without.has(address)) this.network.setAccount(address, account);
    }
    // Lookup tables of slot 0 do not serve in slot 0.
    this.network.svm.warpToSlot(1n);
    const [alice, bob] = this.genesis.keys.demoWallets;
    if (alice === undefined || bob === undefined) throw new Error('the genesis has no demo wallets');
    this.alice = alice.address;
    this.bob = bob.address;
  }

  send(instructions: readonly Instruction[], feePayer: Address): TestOutcome {
    return this.network.send(instructions, { feePayer });
  }

  balance(owner: Address, token: TokenInfo): bigint {
    return this.network.tokenBalance(deriveTokenAccountAddress(owner, token));
  }

  /** Creates the receiver's account and moves the tokens, paid and signed by the sender. */
  pay(token: TokenInfo, from: Address, to: Address, amount: bigint): TestOutcome {
    const { mint, decimals } = token;
    const tokenProgram = tokenProgramOf(token);
    const [source, destination] = [
      deriveTokenAccountAddress(from, token),
      deriveTokenAccountAddress(to, token),
    ];
    const create = createAssociatedTokenIdempotent({ payer: from, owner: to, mint, tokenProgram });
    const transfer = { source, destination, authority: from, amount, mint, decimals };
    return this.send([create, transferChecked(tokenProgram, transfer)], from);
  }

  /**
   * Gives the owner tokens in the associated account, by minting, or by wrapping lamports that are made up. The
   * mint authority signs.
   */
  fund(owner: Address, token: TokenInfo, amount: bigint): void {
    const native = token.mint === WRAPPED_SOL_MINT;
    const issuer = this.genesis.issuers.get(token.mint);
    const authority = issuer ?? this.genesis.keys.mintAuthority.address;
    if (issuer !== undefined) this.#addLamports(authority, 10_000_000n);
    const payer = native ? owner : authority;
    const tokenProgram = tokenProgramOf(token);
    const account = deriveTokenAccountAddress(owner, token);
    const create = createAssociatedTokenIdempotent({ payer, owner, mint: token.mint, tokenProgram });
    if (native) this.#addLamports(owner, amount + 10_000_000n);
    const outcome = native
      ? this.send(
          [create, transferLamports(owner, account, amount), syncNative(TOKEN_PROGRAM, account)],
          payer,
        )
      : this.send([create, mintTo(tokenProgram, { mint: token.mint, account, authority, amount })], payer);
    if (outcome.error !== null) throw new Error(outcome.logs.join('\n'));
  }

  #addLamports(owner: Address, lamports: bigint): void {
    const before = this.network.account(owner)?.lamports ?? 0n;
    const account: Account = {
      lamports: before + lamports,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    };
    this.network.setAccount(owner, account);
  }
}

export function deriveTokenAccountAddress(owner: Address, token: TokenInfo): Address {
  return deriveAssociatedTokenAddress(owner, token.mint, tokenProgramOf(token));
}

export function getTokenBySymbol(symbol: string): TokenInfo {
  const found = findTokenBySymbol(symbol);
  if (found === null) throw new Error(`no token ${symbol}`);
  return found;
}

export function getTokenByMint(mint: Address): TokenInfo {
  const found = findTokenByMint(mint);
  if (found === null) throw new Error(`no token ${mint}`);
  return found;
}
