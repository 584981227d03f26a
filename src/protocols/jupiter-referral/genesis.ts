import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import type { ProtocolGenesis } from '../../protocol/genesis/protocol-genesis.ts';
import { type Address, address } from '../../solana/address.ts';
import { createActiveLookupTable, encodeLookupTable } from '../../solana/messages/lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';
import { deriveProjectAuthority, REFERRAL_PROGRAM } from '../../solana/programs/referral/program.ts';
import { encodeReferralProject } from '../../solana/programs/referral/project.ts';

/** A project under which integrators register, at its address of mainnet. */
export interface PlannedReferralProject {
  readonly address: Address;
  readonly name: string;
  /** What a partner keeps of the collected fees, in basis points. The admin of the project has the rest. */
  readonly defaultShareBps: number;
}

/** The order is part of the genesis: append only. */
export const PLANNED_REFERRAL_PROJECTS: readonly PlannedReferralProject[] = [
  {
    address: address('DkiqsTrw1u1bYFumumC7sCG2S8K25qc2vemJFHyW2wJc'),
    name: 'Jupiter Ultra',
    defaultShareBps: 8_000,
  },
  {
    address: address('45ruCyfdRkWpRNGEqWzjCiXRHkZs8WXCLQ67Pnpye7Hp'),
    name: 'Jupiter Swap',
    defaultShareBps: 9_750,
  },
];

/** Clients compress claims with this table, and fail without it. */
const CLAIM_LOOKUP_TABLE = address('GBzQG2iFrPwXjGtCnwNt9S5eHd8xAR8jUMt3QDJpnjud');

/** 10 SOL, which pay for some 4,900 token accounts of the admin. */
const AUTHORITY_LAMPORTS = 10_000_000_000n;

/** Public projects, whose admin is the owner of the fees, and the lookup table of claims. */
export const jupiterReferralGenesis: ProtocolGenesis = { addLastAccounts: addProjects };

function addProjects(ledger: AccountLedger, { feeOwner, poolCreator }: GenesisKeys): void {
  const admin = feeOwner.address;
  const authorities = PLANNED_REFERRAL_PROJECTS.map(({ address: project, name, defaultShareBps }) => {
    // Mainnet's base is not known. The program takes a project that names its own address as one of the genesis.
    const data = encodeReferralProject({ base: project, admin, name, defaultShareBps });
    ledger.addData(project, REFERRAL_PROGRAM, data);
    const authority = deriveProjectAuthority(project);
    ledger.addWallet(authority, AUTHORITY_LAMPORTS);
    return authority;
  });
  const addresses = [
    SYSTEM_PROGRAM,
    TOKEN_PROGRAM,
    TOKEN_2022_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    REFERRAL_PROGRAM,
    admin,
    ...PLANNED_REFERRAL_PROJECTS.map((project) => project.address),
    ...authorities,
  ];
  // Addresses that are added in a slot cannot be used in that slot, so these count as added before slot 0.
  const table = {
    ...createActiveLookupTable(addresses, poolCreator.address, 0n),
    lastExtendedStartIndex: addresses.length,
  };
  ledger.addData(CLAIM_LOOKUP_TABLE, ADDRESS_LOOKUP_TABLE_PROGRAM, encodeLookupTable(table));
}
