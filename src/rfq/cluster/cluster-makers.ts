import { unlessUnavailable } from '../../common/unavailable.ts';
import { type Maker, makerOf } from '../makers/maker-runtime-state.ts';
import type { MakerStore, StoredMaker } from '../makers/maker.ts';
import type { OwnedMaker, MakerOwners } from '../makers/maker-owners.ts';
import type { Makers } from '../makers/makers.ts';

/** A maker as the instance that has it knows it, or as the last one that had it left it. */
export interface MakerSeen {
  readonly maker: Maker;
  /** Whether its swap stream is live; null when the instance that has it, or would know which has, does not answer. */
  readonly connected: boolean | null;
  /** The instance that has it; null when none has, or there are no others. */
  readonly instance: string | null;
}

/** The makers, whichever instance has them. */
export interface ClusterMakers {
  all(): Promise<readonly MakerSeen[]>;
  /** Null when there is no such maker. */
  get(makerId: string): Promise<MakerSeen | null>;
}

/** In one question: a maker that trades hundreds of mints takes 25 kB. */
const MAX_ASKED = 50;

interface Parts {
  readonly makers: Pick<Makers, 'all' | 'get' | 'atHome'>;
  readonly homes: MakerOwners;
  readonly store: Pick<MakerStore, 'load'>;
}

export function clusterMakers(parts: Parts): ClusterMakers {
  return {
    all: () => seen(parts, [...parts.makers.all()]),
    get: async (makerId) => {
      const maker = parts.makers.get(makerId);
      return maker === null ? null : ((await seen(parts, [maker]))[0] ?? null);
    },
  };
}

async function seen({ makers, homes, store }: Parts, all: readonly Maker[]): Promise<readonly MakerSeen[]> {
  const { self } = homes;
  if (self === null) {
    return all.map((maker) => ({ maker, connected: maker.state.connected, instance: null }));
  }
  const away = all.filter(({ record }) => makers.atHome(record.id) === null);
  const holders = away.length === 0 ? null : await unlessUnavailable(homes.elsewhere());
  const told = await tellingOf(homes, away, holders ?? new Map());
  const stored = new Map((away.length === 0 ? [] : await store.load()).map((one) => [one.makerId, one]));
  return all.map((maker) => {
    const { id } = maker.record;
    if (makers.atHome(id) !== null) return { maker, connected: maker.state.connected, instance: self };
    return seenAway(
      maker,
      told.get(id),
      stored.get(id) ?? null,
      holders === null ? undefined : (holders.get(id) ?? null),
    );
  });
}

/** @param instance that has it; null: none; undefined: not known */
function seenAway(
  { record }: Maker,
  told: OwnedMaker | undefined,
  stored: StoredMaker | null,
  instance: string | null | undefined,
): MakerSeen {
  if (told !== undefined) {
    const { connected, lastSequence } = told;
    const maker = { ...makerOf(record, told.stored, connected), lastSequence };
    return { maker, connected, instance: instance ?? null };
  }
  // Of one that had to end without writing it down, the store does not know that it is gone.
  const maker = makerOf(record, stored, instance !== null && stored?.status === 'prod');
  return { maker, connected: instance === null ? false : null, instance: instance ?? null };
}

/** What the instances say of those that they have; one that does not answer says nothing. */
async function tellingOf(
  homes: MakerOwners,
  makers: readonly Maker[],
  holders: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, OwnedMaker>> {
  const byInstance = new Map<string, string[]>();
  for (const { record } of makers) {
    const instance = holders.get(record.id);
    if (instance !== undefined) byInstance.set(instance, [...(byInstance.get(instance) ?? []), record.id]);
  }
  const answers = await Promise.all(
    [...byInstance].map(([instance, makerIds]) => answersOf(homes, instance, makerIds)),
  );
  return new Map(answers.flat().map((one) => [one.stored.makerId, one]));
}

/** Some at a time, until the instance does not answer. */
async function answersOf(
  homes: MakerOwners,
  instance: string,
  makerIds: readonly string[],
): Promise<readonly OwnedMaker[]> {
  const answers: OwnedMaker[] = [];
  for (let from = 0; from < makerIds.length; from += MAX_ASKED) {
    const answer = await unlessUnavailable(homes.ask(instance, makerIds.slice(from, from + MAX_ASKED)));
    if (answer === null) break;
    answers.push(...answer);
  }
  return answers;
}
