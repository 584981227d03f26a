import { NO_METRICS } from '../../common/ports/metrics.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chain } from '../../chain/chain.ts';
import { openStudioMedia, type StudioMedia } from '../../studio/media/open-media.ts';
import { findLanded } from '../../studio/submissions/landed-launches.ts';
import { StudioLaunches } from '../../studio/submissions/studio-launches.ts';
import {
  type LaunchSubmission,
  submitLaunch,
  type SubmitLaunchDependencies,
} from '../../studio/submissions/submit-launch.ts';
import type { CraftedLaunch, LaunchRequest } from '../../studio/creating/craft-launch.ts';
import { replaced } from '../replaced.ts';
import { openTestStore, type STORES, type TestStore } from '../store/test-store.ts';
import { SkippingTimers } from '../timers.ts';
import { LAUNCH_CALLER, LaunchRig, LONG_ORIGIN } from './launch-rig.ts';

const ROOM = 64 * 1_024 * 1_024;
/** The time of a slot. */
const SLOT_MS = 400;

interface SubmissionParts {
  readonly rig: LaunchRig;
  readonly database: TestStore;
  readonly media: StudioMedia;
  readonly folder: string;
}

/** Submissions of launches over a market, with a clock that jumps to whatever is waited for, and slots that pass with it. */
export class SubmissionRig {
  readonly rig: LaunchRig;
  readonly media: StudioMedia;
  readonly launches: StudioLaunches;
  readonly timers: SkippingTimers;
  readonly #database: TestStore;
  readonly #folder: string;

  private constructor({ rig, database, media, folder }: SubmissionParts, timers: SkippingTimers) {
    this.rig = rig;
    this.media = media;
    this.timers = timers;
    this.#database = database;
    this.#folder = folder;
    this.launches = new StudioLaunches(database.store, rig.market.chain.genesisHash);
  }

  static async open(kind: (typeof STORES)[number] = 'sqlite'): Promise<SubmissionRig> {
    const rig = await LaunchRig.open();
    const { chain } = rig.market;
    const timers = new SkippingTimers((ms) => chain.pass(BigInt(Math.ceil(ms / SLOT_MS))));
    const database = await openTestStore(kind);
    const { store } = database;
    const folder = mkdtempSync(join(tmpdir(), 'sluice-submissions-'));
    const media = await openStudioMedia({
      key: new Uint8Array(32).fill(6),
      getOrigin: () => LONG_ORIGIN,
      dataFolder: folder,
      store,
      maxBytes: ROOM,
      findLaunched: (mints) => findLanded({ chain, db: store.db }, mints),
      // Its sweeps would make the clock jump for ever.
      timers: rig.timers,
      metrics: NO_METRICS,
      onDefect: (error) => {
        throw error;
      },
    });
    return new SubmissionRig({ rig, database, media, folder }, timers);
  }

  async close(): Promise<void> {
    this.media.close();
    this.rig.close();
    await this.#database.cleanUp();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get store(): TestStore['store'] {
    return this.#database.store;
  }

  get dependencies(): SubmitLaunchDependencies {
    const { rig, timers, launches, media } = this;
    const { chain, describeFailure } = rig.market;
    return { chain, timers, describeFailure, keys: rig.keys, launches, media };
  }

  /** How often a transaction was sent. */
  get sent(): number {
    return this.rig.market.chain.sent;
  }

  /** The network keeps what it is sent, and the creator has 10 SOL, as at the beginning. */
  reset(): void {
    const { chain } = this.rig.market;
    chain.losing = 0;
    chain.sent = 0;
    this.rig.fund(10_000_000_000n);
  }

  /** A launch that its creator has signed, with what is submitted beside it. */
  prepare(
    changes: Partial<LaunchSubmission> = {},
    request: Partial<LaunchRequest> = {},
  ): { readonly launch: CraftedLaunch; readonly submission: LaunchSubmission } {
    const launch = this.rig.craft(request);
    const transaction = Buffer.from(this.rig.sign(launch)).toString('base64');
    const owner = this.rig.creator.address;
    return { launch, submission: { transaction, owner, content: null, header: null, ...changes } };
  }

  submit(submission: LaunchSubmission, chain: Partial<Chain> = {}) {
    const { dependencies } = this;
    return submitLaunch(
      { ...dependencies, chain: replaced(dependencies.chain, chain) },
      submission,
      LAUNCH_CALLER,
    );
  }
}
