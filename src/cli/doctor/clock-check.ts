import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fault, type DoctorFinding, ok, warning } from './check.ts';

/** Beyond this, orders expire early or late by as much. */
const NOTABLE_MS = 2_000;
/** Beyond this, credentials and certificates are wrongly refused, and orders expire before a taker has signed. */
const WRONG_MS = 30_000;
/** The time of a block is an estimate of the validators, which may be this far from the time. */
const BLOCK_MS = 60_000;

export interface ServerTime {
  readonly server: string;
  /** The server's clock less that of this machine, in milliseconds. */
  readonly ahead: number;
  /** Whether it is the time of a block, which is inexact. */
  readonly isOfBlock: boolean;
}

/** Compares the clock of this machine with those of the servers that answered, or else with the files of the data folder. */
export function checkClock(times: readonly ServerTime[], dataDir: string, now: number): DoctorFinding {
  const wrong = times.find(({ ahead, isOfBlock }) => Math.abs(ahead) > (isOfBlock ? BLOCK_MS : WRONG_MS));
  if (wrong !== undefined) return fault(describeDifference(wrong));
  const notable = times.find(({ ahead, isOfBlock }) => !isOfBlock && Math.abs(ahead) > NOTABLE_MS);
  if (notable !== undefined) return warning(describeDifference(notable));
  if (times.length > 0) {
    const names = times.map(({ server, ahead }) => `${server} (${formatSeconds(ahead)})`);
    return ok(`as that of ${names.join(' and ')}`);
  }
  const newest = findNewestChange(dataDir);
  if (newest - now > WRONG_MS) {
    return fault(
      `it was set back: a file of ${dataDir} was changed ${formatSeconds(newest - now)} from now; synchronise this machine, with chrony or systemd-timesyncd`,
    );
  }
  return ok(`${new Date(now).toISOString()}; no server has one to compare it with`);
}

function describeDifference({ server, ahead }: ServerTime): string {
  const by = `it is ${formatSeconds(ahead)} ${ahead > 0 ? 'behind' : 'ahead of'} the clock of ${server}`;
  return `${by}; synchronise both machines, with chrony or systemd-timesyncd`;
}

function formatSeconds(milliseconds: number): string {
  return `${(Math.abs(milliseconds) / 1_000).toFixed(1)} s`;
}

/** Returns Unix milliseconds; 0 when there are no files. */
function findNewestChange(folder: string): number {
  try {
    return Math.max(
      0,
      ...readdirSync(folder)
        .slice(0, 100)
        .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
    );
  } catch {
    return 0;
  }
}
