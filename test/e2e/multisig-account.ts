import * as web3 from '@solana/web3.js';
import { untilLanded } from './landed.ts';

/** The public Squads smart account program. */
export const SQUADS = new web3.PublicKey('SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG');
const CREATE = Uint8Array.of(197, 102, 253, 231, 77, 84, 50, 17);
/** To initiate, to vote and to execute. */
const ALL_PERMISSIONS = 7;
const PREFIX = Buffer.from('smart_account');

/** A multisig that a test has created. */
export interface TestMultisig {
  readonly settings: web3.PublicKey;
  readonly vault: web3.PublicKey;
}

/** What a multisig is created with. */
export interface MultisigPlan {
  readonly threshold: number;
  /** All may initiate, vote and execute. */
  readonly signers: readonly web3.PublicKey[];
  readonly vaultIndex?: number;
}

/** Creates a multisig as the public client does: `create_smart_account`, with the next free number. */
export async function createMultisig(
  connection: web3.Connection,
  creator: web3.Keypair,
  { threshold, signers, vaultIndex = 0 }: MultisigPlan,
): Promise<TestMultisig> {
  const config = derive(PREFIX, Buffer.from('program_config'));
  const data = (await connection.getAccountInfo(config))?.data;
  if (data === undefined) throw new Error('the program has no configuration');
  const seed = Buffer.alloc(16);
  seed.writeBigUInt64LE(data.readBigUInt64LE(8) + 1n);
  const settings = derive(PREFIX, Buffer.from('settings'), seed);
  const treasury = new web3.PublicKey(data.subarray(8 + 16 + 32 + 8, 8 + 16 + 32 + 8 + 32));
  const args = Buffer.alloc(1 + 2 + 4 + 33 * signers.length + 4 + 1 + 1);
  args.writeUInt16LE(threshold, 1);
  args.writeUInt32LE(signers.length, 3);
  signers.forEach((key, at) => {
    args.set([...key.toBytes(), ALL_PERMISSIONS], 7 + 33 * at);
  });
  const account = (pubkey: web3.PublicKey, isWritable: boolean, isSigner = false) => ({
    pubkey,
    isWritable,
    isSigner,
  });
  const create = new web3.TransactionInstruction({
    programId: SQUADS,
    keys: [
      account(config, true),
      account(treasury, true),
      account(creator.publicKey, true, true),
      account(web3.SystemProgram.programId, false),
      account(SQUADS, false),
      account(settings, true),
    ],
    data: Buffer.concat([CREATE, args]),
  });
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new web3.Transaction({ recentBlockhash: blockhash, feePayer: creator.publicKey }).add(
    create,
  );
  transaction.sign(creator);
  await untilLanded(connection, await connection.sendRawTransaction(transaction.serialize()));
  return { settings, vault: derive(PREFIX, settings.toBytes(), PREFIX, Uint8Array.of(vaultIndex)) };
}

function derive(...seeds: readonly Uint8Array[]): web3.PublicKey {
  return web3.PublicKey.findProgramAddressSync([...seeds], SQUADS)[0];
}
