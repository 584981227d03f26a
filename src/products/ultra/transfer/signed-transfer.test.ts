import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaced } from '../../../testing/replaced.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Address } from '../../../solana/address.ts';
import { createSharedExecutionStore } from '../../../store/shared/execution-store.ts';
import type { Valkey } from '../../../store/shared/valkey.ts';
import { endLease, openTestValkey, TEST_VALKEY_URL } from '../../../testing/store/test-valkey.ts';
import { craftNativeTransfer } from './native-transfer.ts';
import {
  type ExecuteSignedDependencies,
  executeSigned,
  type SignedRequest,
} from '../../../transactions/signed/execute-signed.ts';
import { openSignedRuns } from '../../../transactions/signed/signed-runs.ts';
import { createNumberedAddress, TestWallets } from '../../../testing/products/signing-wallets.ts';
import { openForEach } from '../../../testing/opened.ts';

let receiver: Address;
const wallets = openForEach(() => TestWallets.open(), 'close');
beforeEach(setUp);

describe('a transaction of a wallet', () => {
  it('that was said not to have been sent is not sent later, when it would succeed', async () => {
    const signed = await signedTransfer();
    const refused = await executeSigned(refusing(wallets.dependencies), 'transfer', signed);
    expect(refused).toMatchObject({ kind: 'failed', error: expect.stringContaining('was not sent') });
    expect(await executeSigned(wallets.dependencies, 'transfer', signed)).toEqual(refused);
    expect(wallets.market.chain.sent).toBe(0);
  });
});

describe.runIf(TEST_VALKEY_URL !== null)('a transaction of a wallet, with several instances', () => {
  let valkey: Valkey;
  let namespace: string;
  beforeEach(async () => {
    ({ valkey, namespace } = await openTestValkey());
    opened.push(valkey);
  });
  afterEach(() => {
    for (const each of opened.splice(0)) each.close();
  });

  let holders = 0;

  it('is not landed by an instance that was stopped while another said that it was not sent', async () => {
    const [one, other] = [await openInstance(), await openInstance()];
    const signed = await signedTransfer();
    let resume = () => {};
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const stopping = withSimulations(one, () => {
      stop();
      return new Promise((resolve) => {
        resume = () => resolve({});
      });
    });
    const first = executeSigned(stopping, 'transfer', signed);
    first.catch(() => {});
    await stopped;
    await expire();
    const refused = await executeSigned(refusing(other), 'transfer', signed);
    expect(refused).toMatchObject({ kind: 'failed', error: expect.stringContaining('was not sent') });
    // So the client makes another transfer.
    expect(await executeSigned(other, 'transfer', await signedTransfer())).toMatchObject({ kind: 'landed' });
    resume();
    await expect(first).rejects.toThrow(Unavailable);
    expect(wallets.lamports(receiver)).toBe(AMOUNT);
  });

  it('is not landed by an instance that reads the request only after another has answered it', async () => {
    const [one, other] = [await openInstance(), await openInstance()];
    const signed = await signedTransfer();
    const refused = await executeSigned(refusing(other), 'transfer', signed);
    expect(await executeSigned(one, 'transfer', signed)).toEqual(refused);
    expect(wallets.market.chain.sent).toBe(0);
  });

  it('is landed once by instances that are asked at once, and they answer the same', async () => {
    const instances = [await openInstance(), await openInstance(), await openInstance()];
    const signed = await signedTransfer();
    const results = await Promise.all(instances.map((each) => executeSigned(each, 'transfer', signed)));
    for (const result of results) expect(result).toEqual(results[0]);
    expect(results[0]).toMatchObject({ kind: 'landed' });
    expect(wallets.lamports(receiver)).toBe(AMOUNT);
  });

  const opened: Valkey[] = [];

  const keys: string[] = [];

  async function openInstance(): Promise<ExecuteSignedDependencies> {
    const { valkey: own } = await openTestValkey(TEST_VALKEY_URL ?? '', namespace);
    opened.push(own);
    const runs = openSignedRuns({
      openExecutionStore: (options) => {
        const store = createSharedExecutionStore(own, options);
        return {
          ...store,
          begin: (id, ...rest) => {
            keys.push(`${options.kind}:${id}`);
            return store.begin(id, ...rest);
          },
        };
      },
      chain: wallets.dependencies.chain,
      timers: SYSTEM_TIMERS,
      newHolder: () => `holder ${holders++}`,
      onDefect: (error) => {
        throw error;
      },
    });
    return { ...wallets.dependencies, runs };
  }

  const expire = () => endLease(valkey, keys.at(-1) ?? '');
});

const AMOUNT = 5_000_000n;

function setUp(): void {
  receiver = createNumberedAddress(1);
}

async function signedTransfer(): Promise<SignedRequest> {
  const transfer = { sender: wallets.wallet.address, receiver, amount: AMOUNT };
  const crafted = await craftNativeTransfer(wallets.dependencies, transfer);
  if (crafted.kind !== 'crafted') throw new Error(crafted.error);
  return wallets.sign(crafted);
}

/** The instance, for which every transaction would fail. */
function refusing(instance: ExecuteSignedDependencies): ExecuteSignedDependencies {
  return withSimulations(instance, async () => ({ error: 'AccountNotFound' }));
}

/** The instance, whose simulations end as `change` says. */
function withSimulations(
  instance: ExecuteSignedDependencies,
  change: () => Promise<{ readonly error?: unknown }>,
): ExecuteSignedDependencies {
  const { chain } = instance;
  const simulate: typeof chain.simulate = async (...args) => {
    const simulation = await chain.simulate(...args);
    return { ...simulation, ...(await change()) };
  };
  return { ...instance, chain: replaced(chain, { simulate }) };
}
