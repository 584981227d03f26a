import { waitUnlessUnavailable } from '../../common/unavailable.ts';
import { type Maker, createMakerFromStore } from '../makers/maker-runtime-state.ts';
import type { MakerStore, StoredMaker } from '../makers/maker.ts';
import type { OwnedMaker, MakerOwners } from '../makers/maker-owners.ts';
import type { Makers } from '../makers/makers.ts';

/** A maker as its owner knows it, or as its last owner stored it. */
export interface MakerView {
  readonly maker: Maker;
  /**
   * Whether its swap stream is live; null if that is unknown, because the owner or the shared server does not answer.
   */
  readonly connected: boolean | null;
  /** The owner; null if there is none, or if this is the only instance. */
  readonly instance: string | null;
}

/** The makers of all instances. */
export interface ClusterMakers {
  all(): Promise<readonly MakerView[]>;
  /** Returns null if the maker does not exist. */
  get(makerId: string): Promise<MakerView | null>;
}

/** The maximum number of makers per request: a maker that trades hundreds of mints takes 25 kB. */
const MAX_MAKERS_PER_REQUEST = 50;

interface ClusterMakersOptions {
  readonly makers: Pick<Makers, 'all' | 'get' | 'owned'>;
  readonly owners: MakerOwners;
  readonly store: Pick<MakerStore, 'load'>;
}

export function createClusterMakers(options: ClusterMakersOptions): ClusterMakers {
  return {
    all: () => loadMakerViews(options, [...options.makers.all()]),
    get: async (makerId) => {
      const maker = options.makers.get(makerId);
      return maker === null ? null : ((await loadMakerViews(options, [maker]))[0] ?? null);
    },
  };
}

async function loadMakerViews(
  { makers, owners, store }: ClusterMakersOptions,
  all: readonly Maker[],
): Promise<readonly MakerView[]> {
  const { self } = owners;
  if (self === null) {
    return all.map((maker) => ({ maker, connected: maker.state.connected, instance: null }));
  }
  const away = all.filter(({ record }) => makers.owned(record.id) === null);
  const holders = away.length === 0 ? null : await waitUnlessUnavailable(owners.findAllElsewhere());
  const told = await readFromOwners(owners, away, holders ?? new Map());
  const stored = new Map((away.length === 0 ? [] : await store.load()).map((one) => [one.makerId, one]));
  return all.map((maker) => {
    const { id } = maker.record;
    if (makers.owned(id) !== null) return { maker, connected: maker.state.connected, instance: self };
    return viewOfRemote(
      maker,
      told.get(id),
      stored.get(id) ?? null,
      holders === null ? undefined : (holders.get(id) ?? null),
    );
  });
}

/** @param instance - The owner; null if there is none; undefined if it is unknown. */
function viewOfRemote(
  { record }: Maker,
  told: OwnedMaker | undefined,
  stored: StoredMaker | null,
  instance: string | null | undefined,
): MakerView {
  if (told !== undefined) {
    const { connected, lastSequence, quoteProblem = null } = told;
    const maker = { ...createMakerFromStore(record, told.stored, connected), lastSequence, quoteProblem };
    return { maker, connected, instance: instance ?? null };
  }
  // An instance that was killed could not store that the maker is offline.
  const maker = createMakerFromStore(record, stored, instance !== null && stored?.status === 'prod');
  return { maker, connected: instance === null ? false : null, instance: instance ?? null };
}

/** Returns the makers as their owners know them; those of an owner that does not answer are missing. */
async function readFromOwners(
  owners: MakerOwners,
  makers: readonly Maker[],
  holders: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, OwnedMaker>> {
  const byInstance = new Map<string, string[]>();
  for (const { record } of makers) {
    const instance = holders.get(record.id);
    if (instance !== undefined) byInstance.set(instance, [...(byInstance.get(instance) ?? []), record.id]);
  }
  const answers = await Promise.all(
    [...byInstance].map(([instance, makerIds]) => readFromOwner(owners, instance, makerIds)),
  );
  return new Map(answers.flat().map((one) => [one.stored.makerId, one]));
}

/** Asks in several requests, until the instance does not answer. */
async function readFromOwner(
  owners: MakerOwners,
  instance: string,
  makerIds: readonly string[],
): Promise<readonly OwnedMaker[]> {
  const answers: OwnedMaker[] = [];
  for (let from = 0; from < makerIds.length; from += MAX_MAKERS_PER_REQUEST) {
    const answer = await waitUnlessUnavailable(
      owners.readMakers(instance, makerIds.slice(from, from + MAX_MAKERS_PER_REQUEST)),
    );
    if (answer === null) break;
    answers.push(...answer);
  }
  return answers;
}
