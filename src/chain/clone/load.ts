import { readFile, stat } from 'node:fs/promises';
import { OperatorError } from '../../common/operator-error.ts';
import type { Address } from '../../solana/address.ts';
import { MAX_ACCOUNT_JSON, parseAccountFile } from '../records/account-json.ts';
import { createRpcAccountSource } from './account-source.ts';
import { cloneFrom, type ClonedAccounts, refuseRuntimeAccount } from './clone.ts';
import { checkProgramBinary, MAX_PROGRAM } from './program-binary.ts';
import { verifyPrograms } from './program-verifier.ts';

/** The values of the settings `program`, `account`, `clone` and `clone-from`. Paths are absolute. */
export interface LoadRequest {
  readonly programs: readonly { readonly address: Address; readonly file: string }[];
  readonly accountFiles: readonly string[];
  readonly clones: readonly Address[];
  readonly cloneFrom: URL | null;
}

/**
 * Reads all programs and accounts of a request, and verifies the programs.
 *
 * @throws OperatorError for the first one that cannot be loaded, and for an address that is listed twice.
 *
 * @example
 * ```ts
 * import { address } from '../../solana/address.ts';
 * import { load } from './load.ts';
 *
 * const usdc = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
 * const cloneFrom = new URL('https://rpc.example.com');
 * const { accounts } = await load({ programs: [], accountFiles: [], clones: [usdc], cloneFrom });
 * ```
 */
export async function load(request: LoadRequest): Promise<ClonedAccounts> {
  const programs = await Promise.all(
    request.programs.map(async ({ address, file }) => {
      const elf = new Uint8Array(await readBoundedFile(file, MAX_PROGRAM));
      checkProgramBinary(elf, file);
      return { address, elf };
    }),
  );
  const accounts = await Promise.all(
    request.accountFiles.map(async (file) => {
      const parsed = parseAccountFile((await readBoundedFile(file, MAX_ACCOUNT_JSON)).toString('utf8'), file);
      refuseRuntimeAccount(parsed.address, parsed.account);
      if (!parsed.account.executable) return parsed;
      throw new OperatorError(
        `${file} holds a program: load its code with --program ${parsed.address}=FILE.so`,
      );
    }),
  );
  const cloned = await loadClones(request);
  const loaded = {
    accounts: [...accounts, ...cloned.accounts],
    programs: [...programs, ...cloned.programs],
  };
  refuseDuplicates([...loaded.accounts, ...loaded.programs].map(({ address }) => address));
  await verifyPrograms(loaded.programs);
  return loaded;
}

async function loadClones({ clones, cloneFrom: url }: LoadRequest): Promise<ClonedAccounts> {
  if (clones.length === 0) return { accounts: [], programs: [] };
  if (url === null) throw new OperatorError('clone needs clone-from: the RPC to copy the accounts from');
  return cloneFrom(createRpcAccountSource(url), clones);
}

async function readBoundedFile(file: string, maxBytes: number): Promise<Buffer> {
  try {
    const status = await stat(file);
    if (!status.isFile()) throw new OperatorError(`${file} is not a file`);
    if (status.size > maxBytes) {
      throw new OperatorError(`${file} has ${status.size} bytes; at most ${maxBytes} are read`);
    }
    return await readFile(file);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function refuseDuplicates(addresses: readonly Address[]): void {
  const seen = new Set<Address>();
  for (const address of addresses) {
    if (seen.has(address)) throw new OperatorError(`${address} is to be loaded twice; name it once`);
    seen.add(address);
  }
}
