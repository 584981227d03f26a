import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { readOperatorCredential } from '../../src/data-folder/operator-credential.ts';
import { bannerValue, FREE_PORTS, Instance } from './instance.ts';

/** An instance that nobody uses is paused and costs memory alone. More than these are stopped. */
const MAX_IDLE = 4;
/** How many entries of the audit log are read to find one that is no control of the network. */
const AUDIT_ENTRIES = 100;
/** A connection that was kept while the instance was paused may have been ended by it. */
const NEW_CONNECTION = { reset: true };

/** An instance that the files of a test run use one after another. */
export interface PooledInstance {
  readonly instance: Instance;
  readonly banner: string;
  /** Its working directory, with the data folder `.sluice` in it. */
  readonly folder: string;
}

interface Idle extends PooledInstance {
  /** The newest entry of the audit log, but for the controls of the network, before anybody used it. */
  readonly audit: string;
}

interface Taken {
  readonly lent: PooledInstance;
  readonly resetSlot: number;
}

/**
 * Started instances, all with the default settings. Each is lent to one user at a time, and is put back to its beginning
 * before the next one gets it. One whose organisations, keys, plans, makers or tokens were changed is not lent again,
 * because a reset leaves those as they are: the audit log tells.
 */
export class InstancePool {
  readonly #idle: Idle[] = [];
  readonly #lent = new Map<PooledInstance, Idle>();
  /** Loans that are being prepared. */
  readonly #taking = new Set<Promise<unknown>>();
  #closed = false;

  constructor() {
    // A paused process would outlast a test run that is aborted.
    process.once('exit', () => {
      for (const { instance } of [...this.#idle, ...this.#lent.values()]) instance.kill('SIGKILL');
    });
  }

  /** Returns an instance, and the slot of its reset; 0 for one that was just started. */
  async take(): Promise<Taken> {
    const taking = this.#takeNext();
    this.#taking.add(taking);
    try {
      return await taking;
    } finally {
      this.#taking.delete(taking);
    }
  }

  async #takeNext(): Promise<Taken> {
    for (let next = this.#idle.pop(); next !== undefined; next = this.#idle.pop()) {
      const resetSlot = await this.#renew(next);
      if (resetSlot !== null) return { lent: this.#lend(next), resetSlot };
      await stop(next);
    }
    return { lent: this.#lend(await start()), resetSlot: 0 };
  }

  /** Takes an instance back. */
  async giveBack(lent: PooledInstance): Promise<void> {
    const idle = this.#lent.get(lent);
    if (idle === undefined) return;
    this.#lent.delete(lent);
    if (this.#closed || !idle.instance.isRunning || this.#idle.length === MAX_IDLE) {
      await stop(idle);
      return;
    }
    idle.instance.kill('SIGSTOP');
    this.#idle.push(idle);
  }

  /** Stops all instances, also those that are being started. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#taking);
    await Promise.all([...this.#idle.splice(0), ...this.#lent.values()].map(stop));
  }

  #lend(idle: Idle): PooledInstance {
    const { instance, banner, folder } = idle;
    const lent = { instance, banner, folder };
    this.#lent.set(lent, idle);
    return lent;
  }

  /** Returns the slot of the reset; null when the instance cannot be lent again. */
  async #renew(idle: Idle): Promise<number | null> {
    idle.instance.kill('SIGCONT');
    try {
      if ((await readAudit(idle)) !== idle.audit) return null;
      const { snapshots } = await callAdmin(idle, 'GET', 'network/snapshots');
      for (const { name } of snapshots as { name: string }[]) {
        await callAdmin(idle, 'DELETE', `network/snapshots/${name}`);
      }
      const { slot } = await callAdmin(idle, 'POST', 'network/reset');
      const ready = await request(`${bannerValue(idle.banner, 'REST')}/readyz`, NEW_CONNECTION);
      await ready.body.dump();
      return ready.statusCode === 200 ? Number(slot) : null;
    } catch {
      // One that does not answer as it should is replaced; whether it was at fault is for the test that used it to say.
      return null;
    }
  }
}

async function start(): Promise<Idle> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-shared-'));
  const instance = new Instance(['start', ...FREE_PORTS], folder);
  try {
    const pooled = { instance, folder, banner: await instance.ready() };
    return { ...pooled, audit: await readAudit(pooled) };
  } catch (error) {
    await instance.stop();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function stop({ instance, folder }: PooledInstance): Promise<void> {
  await instance.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the newest entry of the audit log that a reset does not take back: all but the controls of the network. */
async function readAudit(pooled: PooledInstance): Promise<string> {
  const { entries } = await callAdmin(pooled, 'GET', `audit?limit=${AUDIT_ENTRIES}`);
  const read = entries as readonly { readonly action: string }[];
  const lasting = read.find(({ action }) => !action.startsWith('network.'));
  return JSON.stringify(lasting ?? (read.length < AUDIT_ENTRIES ? 'none' : 'not known'));
}

async function callAdmin(
  { banner, folder }: PooledInstance,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
): Promise<Record<string, unknown>> {
  const credential = readOperatorCredential(join(folder, '.sluice'));
  const { statusCode, body } = await request(
    `${new URL(bannerValue(banner, 'Admin')).origin}/admin/v1/${path}`,
    {
      method,
      headers: { authorization: `Bearer ${credential}` },
      ...NEW_CONNECTION,
    },
  );
  const answer = (await body.json()) as Record<string, unknown>;
  if (statusCode !== 200) throw new Error(`${method} ${path} was refused: ${JSON.stringify(answer)}`);
  return answer;
}
