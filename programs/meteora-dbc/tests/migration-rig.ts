import { decodeVestingEscrow, type VestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  baseAccountOf,
  BUYER,
  buy,
  buyOut,
  callsAfterSale,
  dataOf,
  done,
  errorOf,
  type Graduate,
  launchGraduate,
  openEscrow,
  prepareMigrations,
  PROGRAMS,
  readVirtualPool,
  sell,
  supplyOf,
  withAccount,
} from './migration-fixture.ts';

/** What launches in a test differ in. */
type Changes = Partial<DbcConfigParameters>;

/** A network on which launches are sold out and migrated, and on which calls are tried. */
export class MigrationRig {
  readonly network = new TestNetwork(PROGRAMS);

  constructor() {
    prepareMigrations(this.network);
  }

  launch(changes: Changes, name?: string): Graduate {
    return launchGraduate(this.network, { changes, ...(name === undefined ? {} : { name }) });
  }

  soldOut(changes: Changes = {}, name?: string): Graduate {
    const graduate = this.launch(changes, name);
    this.buyOut(graduate);
    return graduate;
  }

  buyOut(graduate: Graduate): void {
    buyOut(this.network, graduate);
  }

  /** Trades in both directions, sells out and migrates. */
  migrated(changes: Changes, name?: string): Graduate {
    const graduate = this.launch(changes, name);
    this.done(buy(graduate, 100_000_000n));
    this.done(sell(graduate, this.held(baseAccountOf(graduate, BUYER)) / 2n));
    this.buyOut(graduate);
    this.done(callsAfterSale(graduate).migration_damm_v2);
    return graduate;
  }

  done(instruction: Instruction): void {
    done(this.network, instruction);
  }

  errorOf(instruction: Instruction): number | undefined {
    return errorOf(this.network, instruction);
  }

  /** The error of a call with another account at an index. */
  errorWith(instruction: Instruction, at: number, account: Address): number | undefined {
    return errorOf(this.network, withAccount(instruction, at, account));
  }

  /** The atoms of a token account. */
  held(account: Address): bigint {
    return this.network.tokenBalance(account);
  }

  lamportsOf(address: Address): bigint {
    return this.network.account(address)?.lamports ?? 0n;
  }

  /** Creates the token account of the escrow in which base tokens vest. */
  openEscrow(graduate: Graduate): void {
    openEscrow(this.network, graduate);
  }

  escrowOf({ escrow }: Graduate): VestingEscrow {
    return decodeVestingEscrow(dataOf(this.network, escrow));
  }

  progressOf(graduate: Graduate): number {
    return readVirtualPool(this.network, graduate).migrationProgress;
  }

  supplyOf({ keys }: Graduate): bigint {
    return supplyOf(this.network, keys.baseMint);
  }

  /** The base tokens that partner, creator and protocol have not claimed. */
  owedBase(graduate: Graduate): bigint {
    const pool = readVirtualPool(this.network, graduate);
    const { partnerBaseFee, creatorBaseFee, protocolBaseFee, protocolMigrationBaseFeeAmount } = pool;
    return partnerBaseFee + creatorBaseFee + protocolBaseFee + protocolMigrationBaseFeeAmount;
  }

  /** Writes an empty base token account at an address of choice. */
  openBaseAccount({ keys }: Graduate, address: Address, owner: Address): void {
    const data = ordinaryTokenAccount({ mint: keys.baseMint, owner, amount: 0n });
    this.network.setData(address, keys.tokenBaseProgram, data);
  }
}
