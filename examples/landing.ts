// Reads accounts, and simulates and lands the transactions of one wallet.
import * as kit from '@solana/kit';
import { address, type Address } from '../src/solana/address.ts';
import type { Instruction } from '../src/solana/messages/instruction.ts';
import type { Read } from './liquidation.ts';

/** Lookup tables with what they hold. */
export type Tables = Readonly<Record<Address, Address[]>>;

interface LandingOptions {
  readonly rpc: kit.Rpc<kit.SolanaRpcApi>;
  readonly rpcSubscriptions: kit.RpcSubscriptions<kit.SolanaRpcSubscriptionsApi>;
  readonly signer: kit.KeyPairSigner;
  /** No confirmation is waited for any longer. */
  readonly maxWaitMs: number;
}

const MAX_UNITS = 1_400_000;
/** Of the log of a transaction that fails. */
const LOG_LINES = 4;

export function openLanding({ rpc, rpcSubscriptions, signer, maxWaitMs }: LandingOptions) {
  const read: Read = async (addresses) => {
    const { value } = await rpc
      .getMultipleAccounts(
        addresses.map((each) => kit.address(each)),
        { encoding: 'base64', commitment: 'processed' },
      )
      .send();
    return value.map((found) => found && { owner: found.owner, data: Buffer.from(found.data[0], 'base64') });
  };

  async function message(steps: readonly Instruction[], tables: Tables, units: number) {
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const limit = {
      programAddress: kit.address('ComputeBudget111111111111111111111111111111'),
      data: new Uint8Array(5),
    };
    new DataView(limit.data.buffer).setUint32(1, units, true);
    limit.data[0] = 2;
    return kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (m) => kit.setTransactionMessageFeePayerSigner(signer, m),
      (m) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
      (m) => kit.appendTransactionMessageInstructions([limit, ...(steps as readonly kit.Instruction[])], m),
      (m) => kit.compressTransactionMessageUsingAddressLookupTables(m, tables as never),
    );
  }

  /** Runs the steps without landing them. */
  async function simulate(steps: readonly Instruction[], tables: Tables) {
    const draft = kit.compileTransaction(await message(steps, tables, MAX_UNITS));
    const { value } = await rpc
      .simulateTransaction(kit.getBase64EncodedWireTransaction(draft), {
        encoding: 'base64',
        replaceRecentBlockhash: true,
      })
      .send();
    return { error: value.err, logs: value.logs ?? [], units: Number(value.unitsConsumed ?? 0) };
  }

  const table = async (at: Address): Promise<Tables> => {
    const [found] = await read([at]);
    const bytes = found?.data.subarray(56) ?? new Uint8Array(0);
    const entries = Array.from({ length: bytes.length / 32 }, (_, index) =>
      bytes.subarray(index * 32, index * 32 + 32),
    );
    return { [at]: entries.map((each) => address(kit.getAddressDecoder().decode(each))) };
  };

  /** Lands the steps once a simulation has shown that they succeed. */
  async function land(steps: readonly Instruction[], tables: Tables): Promise<string> {
    const { error, logs, units } = await simulate(steps, tables);
    if (error !== null) {
      // Numbers of errors are bigints, which JSON does not have.
      const text = JSON.stringify(error, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
      throw new Error(`${text}\n${logs.slice(-LOG_LINES).join('\n')}`);
    }
    const signed = await kit.signTransactionMessageWithSigners(
      await message(steps, tables, Math.ceil(units * 1.2)),
    );
    kit.assertIsTransactionWithBlockhashLifetime(signed);
    await kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(signed, {
      commitment: 'confirmed',
      abortSignal: AbortSignal.timeout(maxWaitMs),
    });
    return kit.getSignatureFromTransaction(signed);
  }

  return { read, simulate, land, table };
}
