import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setClock } from '../../programs/meteora-dbc/tests/fixture.ts';
import { launchCase, NOW, SLOT } from '../../programs/meteora-dbc/tests/swap-cases.ts';
import {
  CREATOR,
  layOut,
  PARTNER,
  USER_TOKENS,
  writeLaunch,
  writeUser,
} from '../../programs/meteora-dbc/tests/swap-fixture.ts';
import { token } from '../../programs/raydium-cpmm/tests/fixture.ts';
import {
  claimDbcCreatorTradingFee,
  claimDbcCreatorTradingFee2,
  claimDbcTradingFee,
  claimDbcTradingFee2,
} from '../../src/protocols/meteora-dbc/program/instructions-claim.ts';
import { METEORA_DBC_PROGRAM } from '../../src/protocols/meteora-dbc/program/program.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../src/solana/units.ts';
import { sampleCases } from '../../src/testing/random.ts';
import { Comparison, compareCases, compareWrongAccounts } from './comparison.ts';
import { validSwapsAndClaims } from './meteora-dbc/valid-swaps.ts';
import { PUBLIC_PROGRAM, readDump, Twin } from './twin.ts';

const dump = readDump(METEORA_DBC_PROGRAM);

// The build has the older claims alone. With a list of no accounts for a transfer hook, the newer ones are the same.
describe.skipIf(dump === null)('claims in the newer form and the older ones of the public program', () => {
  it('pay the same, and emit the same events', async () => {
    const networks = twin();
    const cases = sampleCases(claim, { cases: 1_000, seed: SEED, against: PUBLIC_PROGRAM });
    let paid = 0;
    await compareCases(new Comparison('claims in the newer form', networks), cases, (each) => {
      const name = each.isToken2022 ? 'claimed 2022' : 'claimed';
      const launch = layOut(name, [token(`dbc ${name}`, [], each.isToken2022), token('dbc quote')]);
      networks.both((network) => {
        writeLaunch(network, launch, each.launch);
        writeUser(network, launch, [0n, 0n]);
      });
      const [tokenBaseAccount, tokenQuoteAccount] = USER_TOKENS;
      const claimer = each.isPartner ? PARTNER : CREATOR;
      const parties = { claimer, tokenBaseAccount, tokenQuoteAccount };
      const limits = { maxBaseAmount: each.limits[0], maxQuoteAmount: each.limits[1] };
      const [newer, older] = each.isPartner
        ? [claimDbcTradingFee2, claimDbcTradingFee]
        : [claimDbcCreatorTradingFee2, claimDbcCreatorTradingFee];
      const different = networks.formsDifference(
        newer(launch, parties, limits),
        older(launch, parties, limits),
      );
      if (networks.standIn.tokenBalance(tokenQuoteAccount) > 0n) paid++;
      return different;
    });
    expect(paid).toBeGreaterThan(cases.length / 4);
  });

  it('refuse the same wrong accounts, in the same way', async () => {
    const networks = twin();
    const claims = [...validSwapsAndClaims(networks)].filter(([name]) => name.startsWith('claim'));
    const comparison = new Comparison('claims in the newer form with wrong accounts', networks);
    await compareWrongAccounts(comparison, claims, (changed, name) =>
      networks.endDifference(toNewerForm(changed, name), changed),
    );
  });
});

const SEED = 20_261_202;

const limit = fc.oneof(fc.constant(U64_MAX), fc.bigInt(0n, 1n << 40n));
const claim = fc.record({
  launch: launchCase,
  isToken2022: fc.boolean(),
  isPartner: fc.boolean(),
  limits: fc.tuple(limit, limit),
});

/** Returns the claim in the newer form, with a list of no accounts. */
function toNewerForm({ data, ...rest }: Instruction, name: string): Instruction {
  const newer = name.includes('creator') ? CREATOR_FORM : PARTNER_FORM;
  return { ...rest, data: Buffer.concat([newer, data.subarray(8), Buffer.alloc(4)]) };
}

/** The discriminators of the newer forms. */
const PARTNER_FORM = Buffer.from('54bf473209a237c1', 'hex');
const CREATOR_FORM = Buffer.from('eef7d55e6e91588e', 'hex');

function twin(): Twin {
  if (dump === null) throw new Error('no dump');
  const networks = new Twin('meteora-dbc', METEORA_DBC_PROGRAM, dump, { comparesCalls: true });
  networks.both((network) => setClock(network, { slot: SLOT, time: NOW }));
  return networks;
}
