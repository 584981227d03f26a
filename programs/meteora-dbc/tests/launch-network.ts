import { expect } from 'vitest';
import type { DbcPoolConfig } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import {
  decodeDbcConfig,
  encodeDbcConfig,
} from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import {
  type DbcVirtualPool,
  decodeDbcPool,
  encodeDbcPool,
} from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { type Launch, type LaunchOptions, launch, prepare } from './fixture.ts';

/** A network on which tokens are launched, with wallets that pay for it. */
export class LaunchNetwork extends TestNetwork {
  constructor() {
    super(['meteora-dbc', 'token-metadata']);
    prepare(this);
  }

  launch(options: LaunchOptions = {}): Launch {
    return launch(this, options);
  }

  /** Runs an instruction that must succeed. */
  done(instruction: Instruction): TestOutcome {
    const outcome = this.send([instruction]);
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
    return outcome;
  }

  /** Returns the code of a program's refusal, a word if the refusal has none, or null after success. */
  refusalOf(instruction: Instruction): number | string | null {
    const { error } = this.send([instruction]);
    return error === null ? null : (error.custom ?? error.kind);
  }

  dataOf(address: Address): Uint8Array {
    return this.account(address)?.data ?? new Uint8Array(0);
  }

  /** Writes fields of a pool that no instruction would write. */
  changePool(pool: Address, changes: Partial<DbcVirtualPool>): void {
    const changed = encodeDbcPool({ ...decodeDbcPool(this.dataOf(pool)), ...changes });
    this.setData(pool, METEORA_DBC_PROGRAM, changed);
  }

  /** Writes fields of a configuration that no instruction would write. */
  changeConfig(config: Address, changes: Partial<DbcPoolConfig>): void {
    const changed = encodeDbcConfig({ ...decodeDbcConfig(this.dataOf(config)), ...changes });
    this.setData(config, METEORA_DBC_PROGRAM, changed);
  }
}

/** Returns the instruction with one account changed. */
export function withAccount(instruction: Instruction, index: number, change: object): Instruction {
  const accounts = instruction.accounts.map((each, i) => (i === index ? { ...each, ...change } : each));
  return { ...instruction, accounts };
}
