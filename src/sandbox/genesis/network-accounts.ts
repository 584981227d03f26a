import { readFile } from 'node:fs/promises';
import type { Account } from '../../chain/accounts.ts';
import type { AddressedAccount } from '../../chain/records/records.ts';
import type { StandIn } from '../../protocol/genesis/stand-in.ts';
import { createEmbeddedTokenLedgers } from '../../market/aggregator/token-ledgers.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import {
  encodeProgram,
  encodeProgramData,
  deriveProgramDataAddress,
} from '../../solana/programs/upgradeable-loader.ts';
import { U64_MAX } from '../../solana/units.ts';
import type { ClonedAccounts } from '../../chain/clone/clone.ts';
import type { ProgramBinary } from '../../chain/clone/program-binary.ts';

/**
 * Reads the binaries of the stand-ins.
 * @param folder - `programs/dist`.
 * @throws OperatorError when one is missing
 */
export async function readStandIns(standIns: readonly StandIn[], folder: URL): Promise<ProgramBinary[]> {
  const programs: ProgramBinary[] = [];
  for (const { name, address } of standIns) {
    try {
      programs.push({ address, elf: new Uint8Array(await readFile(new URL(`${name}.so`, folder))) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`the program ${name} of this installation cannot be read: ${reason}`);
    }
  }
  return programs;
}

/**
 * Returns the accounts that replace those of the network at every start, each address once: the stand-ins of this
 * installation, empty token ledgers, and what the operator loads instead of them or in addition. Programs are accounts
 * of the upgradeable loader without an upgrade authority.
 */
export function overlayAccounts(
  standIns: readonly ProgramBinary[],
  loaded: ClonedAccounts,
): AddressedAccount[] {
  const accounts = [
    ...standIns.flatMap(programAccounts),
    ...createEmbeddedTokenLedgers(),
    ...loaded.accounts,
    ...loaded.programs.flatMap(programAccounts),
  ];
  const byAddress = new Map(accounts.map(({ address, account }) => [address, account]));
  return [...byAddress].map(([address, account]) => ({ address, account }));
}

function programAccounts({ address, elf }: ProgramBinary): AddressedAccount[] {
  const programData = deriveProgramDataAddress(address);
  return [
    { address: programData, account: loaderAccount(encodeProgramData(elf), false) },
    { address, account: loaderAccount(encodeProgram(programData), true) },
  ];
}

function loaderAccount(data: Uint8Array, executable: boolean): Account {
  return {
    lamports: computeRentExemptMinimum(data.length),
    owner: BPF_LOADER_UPGRADEABLE,
    data,
    executable,
    rentEpoch: U64_MAX,
  };
}
