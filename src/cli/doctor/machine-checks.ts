import { existsSync, readFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { packageRoot } from '../../common/package.ts';
import { type DoctorCheck, describeFailure, fault, type DoctorFinding, ok, warning } from './check.ts';

/** The descriptors of an instance that are not connections of clients. */
const OWN_DESCRIPTORS = 200;
const LIMITS_FILE = '/proc/self/limits';

/** Checks the program, its parts, and what the system lets it do. */
export function listMachineChecks({ outside, transport }: Config): readonly DoctorCheck[] {
  return [
    { name: 'node', run: () => checkNode(process.versions.node) },
    ...(outside === null ? [{ name: 'embedded network', run: checkEmbeddedNetwork }] : []),
    { name: 'open files', run: () => checkOpenFiles(transport.bounds.maxConnections) },
  ];
}

/** @param version - Such as `24.1.0`. */
export function checkNode(version: string): DoctorFinding {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  const needed = parseVersion(engines.node);
  const found = parseVersion(version);
  const differing = needed.findIndex((part, index) => part !== found[index]);
  if (differing >= 0 && (found[differing] ?? 0) < (needed[differing] ?? 0)) {
    return fault(`Node ${version} runs Sluice, which needs ${engines.node}; install that`);
  }
  return ok(`Node ${version}`);
}

function parseVersion(text: string): readonly number[] {
  return (/\d+(\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number);
}

async function checkEmbeddedNetwork(): Promise<DoctorFinding> {
  if (!existsSync(new URL('programs/dist/', packageRoot))) {
    return fault('the folder programs/dist of the package is missing; install the package again');
  }
  try {
    await import('litesvm');
  } catch (error) {
    return fault(
      `its runtime cannot be loaded on ${process.platform} ${process.arch}: ${describeFailure(error)}; install the package again on this machine, or run on an outside RPC with --rpc-url`,
    );
  }
  return ok(`its runtime can be loaded on ${process.platform} ${process.arch}`);
}

function checkOpenFiles(maxConnections: number): DoctorFinding {
  const [, soft = ''] = existsSync(LIMITS_FILE)
    ? (/^Max open files\s+(\S+)/m.exec(readFileSync(LIMITS_FILE, 'utf8')) ?? [])
    : [];
  const limit = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  if (soft === '' || Number.isNaN(limit)) return ok('this system does not tell how many a process may open');
  const needed = maxConnections + OWN_DESCRIPTORS;
  if (limit >= needed) return ok(`a process may open ${soft}`);
  return warning(
    `a process may open ${limit}, but max-connections is ${maxConnections} for each port; raise LimitNOFILE of the service to ${needed} or more, or lower max-connections`,
  );
}
