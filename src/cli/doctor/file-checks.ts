import { createPrivateKey, X509Certificate } from 'node:crypto';
import { constants, readFileSync, statSync } from 'node:fs';
import { load } from '../../chain/clone/load.ts';
import { readAddressList } from '../../chain/rpc/accounts/address-list.ts';
import type { Config } from '../../config/config.ts';
import { readAlertRules } from '../../gateway/alerts/rules/read-alert-rules.ts';
import { openCountryDatabase, openNetworkDatabase } from '../../platform/firewall/address-databases.ts';
import { parseKeypairFile } from '../../solana/keypair.ts';
import { type DoctorCheck, fault, type DoctorFinding, ok, runWithRemedy, warning } from './check.ts';
import { isDenied, isOpenToOthers } from './file-access.ts';

const MAX_PEM_BYTES = 1024 * 1024;
const MAX_DATABASE_BYTES = 1024 * 1024 * 1024;
const MAX_LIST_BYTES = 8 * 1024 * 1024;
const MAX_KEYPAIR_BYTES = 64 * 1024;
const DAY_MS = 86_400_000;
const SOON_DAYS = 14;
const NOTHING_TO_LOAD = { programs: [], accountFiles: [], clones: [], cloneFrom: null } as const;

/** Checks the files that settings name. */
export function listFileChecks(config: Config, now: () => number): readonly DoctorCheck[] {
  const { transport, makers, outside, sponsor, countryDatabase, networkDatabase, alertsFile } = config;
  const pairs = [
    { name: 'tls-cert', files: transport.tls },
    { name: 'admin-tls-cert', files: transport.adminTls },
    { name: 'grpc-tls-cert', files: makers.tls },
  ];
  const lists = [
    { name: 'rpc-pool', texts: outside?.pools ?? [] },
    { name: 'rpc-lookup-table', texts: outside?.lookupTables ?? [] },
  ];
  const { keypair } = sponsor;
  return [
    ...pairs.flatMap(({ name, files }) =>
      files === null ? [] : [{ name, run: () => checkCertificate(files, now()) }],
    ),
    ...(countryDatabase === null
      ? []
      : [{ name: 'country-database', run: () => checkDatabase(countryDatabase, openCountryDatabase) }]),
    ...(networkDatabase === null
      ? []
      : [{ name: 'network-database', run: () => checkDatabase(networkDatabase, openNetworkDatabase) }]),
    ...(alertsFile === null ? [] : [{ name: 'alerts-file', run: () => checkAlertRules(alertsFile) }]),
    ...lists.flatMap(({ name, texts }) =>
      texts.length === 0 ? [] : [{ name, run: () => checkAddressList(texts, name) }],
    ),
    ...(keypair === null || keypair === 'own'
      ? []
      : [{ name: 'sponsor-keypair', run: () => checkKeypair(keypair.file) }]),
    ...(config.programs.length === 0 ? [] : [{ name: 'program', run: () => checkPrograms(config) }]),
    ...(config.accountFiles.length === 0 ? [] : [{ name: 'account', run: () => checkAccounts(config) }]),
  ];
}

/** Returns why a file cannot be read; null when it can. Reading a pipe or a device might never end. */
function findFileProblem(path: string, maxBytes: number): DoctorFinding | null {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return fault(`${path} does not exist; create it, or name another`);
  if (!status.isFile()) return fault(`${path} is no file; name another`);
  if (status.size > maxBytes) return fault(`${path} has ${status.size} bytes; at most ${maxBytes} are read`);
  return isDenied(path, constants.R_OK)
    ? fault(`${path} may not be read by this user; run chown USER ${path}`)
    : null;
}

function checkCertificate(
  files: { readonly certificate: string; readonly key: string },
  now: number,
): DoctorFinding {
  const { certificate, key } = files;
  const problem = findFileProblem(certificate, MAX_PEM_BYTES) ?? findFileProblem(key, MAX_PEM_BYTES);
  if (problem !== null) return problem;
  const read = readPair(files);
  if ('status' in read) return read;
  const { validFrom, validTo } = read;
  const until = new Date(validTo).toISOString();
  if (Date.parse(validFrom) > now)
    return fault(`${certificate} is not valid before ${validFrom}; is the clock right?`);
  if (Date.parse(validTo) <= now)
    return fault(`${certificate} has expired at ${until}; replace it, Sluice reads it again by itself`);
  if (Date.parse(validTo) <= now + SOON_DAYS * DAY_MS) {
    return warning(`${certificate} expires at ${until}; replace it, Sluice reads it again by itself`);
  }
  if (isOpenToOthers(statSync(key))) {
    return warning(`${key} can be read by other users of this machine; run chmod 600 ${key}`);
  }
  return ok(`${certificate}, until ${until}`);
}

/** The messages of the parser do not quote the files. */
function readPair({
  certificate,
  key,
}: {
  readonly certificate: string;
  readonly key: string;
}): X509Certificate | DoctorFinding {
  let read: X509Certificate;
  try {
    read = new X509Certificate(readFileSync(certificate));
  } catch {
    return fault(`${certificate} holds no certificate in PEM`);
  }
  try {
    if (read.checkPrivateKey(createPrivateKey(readFileSync(key)))) return read;
  } catch {
    return fault(`${key} holds no private key in PEM without a passphrase`);
  }
  return fault(`${key} is not the key of ${certificate}; name the two that belong together`);
}

function checkDatabase(path: string, open: (path: string) => unknown): DoctorFinding {
  const problem = findFileProblem(path, MAX_DATABASE_BYTES);
  if (problem !== null) return problem;
  open(path);
  return ok(path);
}

function checkAlertRules(path: string): DoctorFinding {
  const problem = findFileProblem(path, MAX_LIST_BYTES);
  if (problem !== null) return problem;
  const rules = readAlertRules(path);
  const refused = rules.flatMap(({ name, plan }) => ('refusal' in plan ? [`${name}: ${plan.refusal}`] : []));
  if (refused.length === 0) return ok(`${rules.length} alerts are evaluated`);
  return warning(`${refused.length} of ${rules.length} alerts cannot be evaluated; ${refused[0]}`);
}

function checkAddressList(texts: readonly string[], setting: string): DoctorFinding {
  const files = texts.filter((text) => text.includes('/'));
  const problem = files.map((file) => findFileProblem(file, MAX_LIST_BYTES)).find((one) => one !== null);
  return problem ?? ok(`${readAddressList(texts, setting).length} addresses`);
}

function checkKeypair(file: string): DoctorFinding {
  const problem = findFileProblem(file, MAX_KEYPAIR_BYTES);
  if (problem !== null) return problem;
  const { address } = parseKeypairFile(readFileSync(file, 'utf8'));
  if (isOpenToOthers(statSync(file))) {
    return fault(
      `${file} can be read by other users of this machine, who could spend its SOL; run chmod 600 ${file}`,
    );
  }
  return ok(address);
}

async function checkPrograms({ programs }: Config): Promise<DoctorFinding> {
  const remedy = 'name another file with --program';
  return runWithRemedy(async () => {
    await load({ ...NOTHING_TO_LOAD, programs });
    return ok(`${programs.length} ${programs.length === 1 ? 'program' : 'programs'} can be loaded`);
  }, remedy);
}

async function checkAccounts({ programs, accountFiles }: Config): Promise<DoctorFinding> {
  const remedy = 'name another file with --account';
  return runWithRemedy(async () => {
    const { accounts } = await load({ ...NOTHING_TO_LOAD, accountFiles });
    const addresses = new Set(programs.map(({ address }) => address));
    const twice = accounts.find(({ address }) => addresses.has(address));
    return twice === undefined
      ? ok(`${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'} can be loaded`)
      : fault(`${twice.address} is to be loaded twice, with --program and with --account; name it once`);
  }, remedy);
}
