import { describe, expect, it } from 'vitest';
import { DBC_EVENT_ACCOUNTS } from '../../../src/protocols/meteora-dbc/program/instruction.ts';
import { createDbcConfig } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { METEORA_DBC_PROGRAM as PROGRAM } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { sha256 } from '../../../src/solana/encoding/sha256.ts';
import { readonlySigner } from '../../../src/solana/messages/instruction.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { PARAMETERS, PAYER, partiesOf } from './fixture.ts';
import { LaunchNetwork } from './launch-network.ts';

const network = openForEach(() => new LaunchNetwork());

describe('an instruction that is left out', () => {
  it.each([
    'claim_protocol_fee',
    'claim_protocol_fee2',
    'claim_partner_pool_creation_fee',
    'claim_protocol_pool_creation_fee',
    'close_claim_protocol_fee_operator',
    'close_operator_account',
    'close_token_badge',
    'create_config_with_transfer_hook',
    'create_operator_account',
    'create_partner_metadata',
    'create_token_badge',
    'create_virtual_pool_metadata',
    'initialize_virtual_pool_with_token2022_transfer_hook',
    'migrate_meteora_damm',
    'migrate_meteora_damm_claim_lp_token',
    'migrate_meteora_damm_lock_lp_token',
    'migration_meteora_damm_create_metadata',
    'swap2_with_transfer_hook',
    'zap_protocol_fee',
  ])('is refused by its name: %s', (name) => {
    const data = Buffer.from(sha256(Buffer.from(`global:${name}`)).subarray(0, 8));
    const { error, logs } = network.send([{ programAddress: PROGRAM, accounts: [], data }]);
    expect(error?.custom).toBe(101);
    expect(logs.join('\n')).toContain(`not part of this stand-in: ${name}`);
  });

  it('is refused without a name if nobody knows it', () => {
    const data = new Uint8Array(8);
    const { error, logs } = network.send([{ programAddress: PROGRAM, accounts: [], data }]);
    expect(error?.custom).toBe(101);
    expect(logs.join('\n')).not.toContain('not part of');
  });

  it('says that a migration to DAMM v1 is one', () => {
    const parties = partiesOf(namedAddress('dbc config'));
    const { error, logs } = network.send([createDbcConfig(parties, { ...PARAMETERS, migrationOption: 0 })]);
    expect(error?.custom).toBe(6015);
    expect(logs.join('\n')).toContain('migration to DAMM v1');
  });
});

describe('an event', () => {
  it('cannot be forged by another signer', () => {
    const data = Buffer.from('e445a52e51cb9a1d', 'hex');
    const call = { programAddress: PROGRAM, data };
    expect(network.refusalOf({ ...call, accounts: [readonlySigner(PAYER)] })).toBe(2006);
    expect(network.refusalOf({ ...call, accounts: DBC_EVENT_ACCOUNTS })).toBe(2002);
    expect(network.refusalOf({ ...call, accounts: [] })).toBe('NotEnoughAccountKeys');
  });
});
