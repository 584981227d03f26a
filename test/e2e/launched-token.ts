import { randomBytes } from 'node:crypto';
import { expect, vi } from 'vitest';
import { NAMES, PARAMETERS } from '../../programs/meteora-dbc/tests/fixture.ts';
import { deriveDbcPoolKeys, type DbcPoolKeys } from '../../src/protocols/meteora-dbc/program/addresses.ts';
import type { DbcConfigParameters } from '../../src/protocols/meteora-dbc/program/config-parameters.ts';
import {
  createDbcConfig,
  initializeDbcPool,
} from '../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { swap2Dbc } from '../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import {
  claimDbcCreatorTradingFee,
  claimDbcTradingFee,
} from '../../src/protocols/meteora-dbc/program/instructions-claim.ts';
import { decodeDbcPool } from '../../src/protocols/meteora-dbc/program/layout-pool.ts';
import { DbcMigrationProgress, DbcSwapMode } from '../../src/protocols/meteora-dbc/program/program.ts';
import { type Address, toAddressBytes } from '../../src/solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../src/solana/keypair.ts';
import { compileMessage } from '../../src/solana/messages/compile-message.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { signTransaction } from '../../src/solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../src/solana/programs/associated-token.ts';
import { setComputeUnitLimit } from '../../src/solana/programs/compute-budget.ts';
import { U64_MAX } from '../../src/solana/units.ts';

export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
/** More than any curve of a test takes. */
const PLENTY = 1_000_000_000_000n;

export { DbcMigrationProgress };

/** A launch that nobody has sent yet. */
export interface PreparedLaunch {
  readonly keys: DbcPoolKeys;
  readonly mint: Keypair;
  readonly instruction: Instruction;
}

/** Calls a method of the Solana RPC. */
// biome-ignore lint/suspicious/noExplicitAny: results of many shapes.
export type CallRpc = (method: string, ...params: readonly unknown[]) => Promise<any>;

/** Launches tokens and trades on their curves as a client does, over the Solana RPC alone. */
export class TokenLauncher {
  readonly wallet: Keypair;
  readonly #rpc: CallRpc;

  /** @param wallet - It has SOL and USDC. It is partner, creator and buyer. */
  constructor(wallet: Keypair, rpc: CallRpc) {
    this.wallet = wallet;
    this.#rpc = rpc;
  }

  /** Launches a token that is paid with USDC, under a configuration of its own. */
  async launch(changes: Partial<DbcConfigParameters> = {}): Promise<DbcPoolKeys> {
    const launch = this.prepareLaunch(await this.createConfig(changes));
    await this.land([launch.instruction], [launch.mint]);
    return launch.keys;
  }

  /** Creates a configuration for launches that are paid with USDC, and returns its address. */
  async createConfig(changes: Partial<DbcConfigParameters> = {}): Promise<Address> {
    const config = createKey();
    const { address } = this.wallet;
    const parties = {
      config: config.address,
      feeClaimer: address,
      leftoverReceiver: address,
      quoteMint: USDC,
      payer: address,
    };
    await this.land([createDbcConfig(parties, { ...PARAMETERS, ...changes })], [config]);
    return config.address;
  }

  /** Makes the instruction that launches a token, which its mint signs too. */
  prepareLaunch(config: Address): PreparedLaunch {
    const mint = createKey();
    const { address } = this.wallet;
    const keys = deriveDbcPoolKeys({
      config,
      baseMint: mint.address,
      quoteMint: USDC,
      tokenBaseProgram: TOKEN_PROGRAM,
      tokenQuoteProgram: TOKEN_PROGRAM,
    });
    const instruction = initializeDbcPool(keys, { creator: address, payer: address }, NAMES);
    return { keys, mint, instruction };
  }

  /** Claims what trades have paid to the creator and to the partner. Resolves to what the wallet got, in atoms of USDC. */
  async claimFees(keys: DbcPoolKeys): Promise<bigint> {
    const { address: claimer } = this.wallet;
    const [tokenBaseAccount, tokenQuoteAccount] = [keys.baseMint, USDC].map((mint) =>
      deriveAssociatedTokenAddress(claimer, mint, TOKEN_PROGRAM),
    ) as [Address, Address];
    const all = { maxBaseAmount: U64_MAX, maxQuoteAmount: U64_MAX };
    const parties = { claimer, tokenBaseAccount, tokenQuoteAccount };
    const before = await this.#readBalance(tokenQuoteAccount);
    const claims = [claimDbcCreatorTradingFee(keys, parties, all), claimDbcTradingFee(keys, parties, all)];
    await this.land(claims, []);
    return (await this.#readBalance(tokenQuoteAccount)) - before;
  }

  async #readBalance(account: Address): Promise<bigint> {
    const { value } = await this.#rpc('getTokenAccountBalance', account, { commitment: 'confirmed' });
    return BigInt(value.amount);
  }

  /** Buys for so many atoms of USDC, or by default what is left of the curve. */
  async buy(keys: DbcPoolKeys, amount = PLENTY): Promise<void> {
    const { address: owner } = this.wallet;
    const opening = { payer: owner, owner, mint: keys.baseMint, tokenProgram: keys.tokenBaseProgram };
    const purchase = swap2Dbc(
      keys,
      {
        payer: owner,
        inputTokenAccount: deriveAssociatedTokenAddress(owner, USDC, TOKEN_PROGRAM),
        outputTokenAccount: deriveAssociatedTokenAddress(owner, keys.baseMint, keys.tokenBaseProgram),
        showsInstructions: true,
      },
      { amount0: amount, amount1: 0n, swapMode: DbcSwapMode.PARTIAL_FILL },
    );
    await this.land([createAssociatedTokenIdempotent(opening), purchase], []);
  }

  /** Resolves to how far the launch is, by default as of the newest slot. */
  async readProgress(
    { pool }: DbcPoolKeys,
    commitment: 'processed' | 'confirmed' = 'processed',
  ): Promise<number> {
    const { value } = await this.#rpc('getAccountInfo', pool, { encoding: 'base64', commitment });
    return decodeDbcPool(Buffer.from(value.data[0], 'base64')).migrationProgress;
  }

  /** Resolves when the launch is as far as that, or further. */
  async waitForProgress(keys: DbcPoolKeys, progress: number): Promise<void> {
    const isThere = async () => expect(await this.readProgress(keys)).toBeGreaterThanOrEqual(progress);
    await vi.waitFor(isThere, { interval: 5 });
  }

  /** Lands instructions, and waits until they are confirmed. */
  async land(instructions: readonly Instruction[], signers: readonly Keypair[]): Promise<void> {
    const signature = await this.submit(instructions, signers);
    await vi.waitFor(async () => expect(await this.readStatus(signature)).toMatch(/confirmed|final/), {
      interval: 20,
    });
  }

  /** Sends instructions, and resolves to the signature of their transaction. */
  async submit(instructions: readonly Instruction[], signers: readonly Keypair[]): Promise<string> {
    const { value } = await this.#rpc('getLatestBlockhash', { commitment: 'confirmed' });
    const messageBytes = compileMessage({
      feePayer: this.wallet.address,
      blockhash: toAddressBytes(value.blockhash),
      instructions: [setComputeUnitLimit(1_000_000), ...instructions],
      version: 0,
      lookupTables: null,
    });
    const wire = Buffer.from(signTransaction(messageBytes, [this.wallet, ...signers])).toString('base64');
    return this.#rpc('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'processed' });
  }

  /** Resolves to the slot of a transaction that has succeeded. */
  async readSlot(signature: string): Promise<number> {
    const { value: statuses } = await this.#rpc('getSignatureStatuses', [signature]);
    expect(statuses[0]).toMatchObject({ err: null });
    return statuses[0].slot;
  }

  /** Resolves to how certain it is that a transaction has succeeded, or undefined. */
  async readStatus(signature: string): Promise<string | undefined> {
    const { value: statuses } = await this.#rpc('getSignatureStatuses', [signature]);
    expect(statuses[0]?.err ?? null).toBeNull();
    return statuses[0]?.confirmationStatus;
  }
}

function createKey(): Keypair {
  return createKeypairFromSeed(randomBytes(32));
}
