import { buildCurveWithMarketCap, DynamicBondingCurveClient } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { PublicKey, type Transaction } from '@solana/web3.js';
import BN from 'bn.js';
import { describe, expect, it } from 'vitest';
import { deriveDammPoolAddress } from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import { deriveDbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import { DBC_MIGRATION_CONFIGS } from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../src/solana/program-addresses.ts';
import { PLAIN_TERMS } from '../../../src/testing/protocols/dbc-launch-terms.ts';
import { toSdkTerms } from '../../../src/testing/protocols/dbc-sdk.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { NetworkConnection, readInstructions } from '../../../src/testing/svm/network-connection.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeMint, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { LEFTOVER_RECEIVER, NAMES, NOW, setClock, SLOT } from './fixture.ts';
import { prepareMigrations, PROGRAMS } from './migration-fixture.ts';
import { readPool } from './swap-fixture.ts';

const network = openForEach(openNetwork);

describe.each([
  ['the classic token program', 0, TOKEN_PROGRAM],
  ['Token-2022', 1, TOKEN_2022_PROGRAM],
] as const)(
  'a launch for SOL of a token of %s, by the transactions of Meteora’s library alone',
  (...each) => {
    const [, tokenType, tokenBaseProgram] = each;
    const terms = { config: CONFIG, baseMint: BASE, quoteMint: WRAPPED_SOL_MINT };
    const keys = deriveDbcPoolKeys({ ...terms, tokenBaseProgram, tokenQuoteProgram: TOKEN_PROGRAM });

    it('is sold, migrates, and pays everybody', async () => {
      const library = DynamicBondingCurveClient.create(new NetworkConnection(network));
      const { partner, pool, creator, migration } = library;
      const address = key(keys.pool);
      send(await partner.createConfig({ ...buildTerms(tokenType), ...CONFIG_PARTIES }));
      const first = {
        buyer: BUYER,
        buyAmount: sol(1),
        minimumAmountOut: new BN(1),
        referralTokenAccount: null,
      };
      const created = {
        ...NAMES,
        payer: PAYER,
        poolCreator: CREATOR,
        config: key(CONFIG),
        baseMint: key(BASE),
      };
      send(await creator.createPoolWithFirstBuy({ createPoolParam: created, firstBuyParam: first }));
      const order = { owner: BUYER, pool: address, referralTokenAccount: null, minimumAmountOut: new BN(1) };
      const buy = { ...order, swapBaseForQuote: false };
      send(await pool.swap({ ...buy, amountIn: sol(2) }));
      send(await pool.swap2({ ...buy, amountIn: sol(2), swapMode: 0 }));
      const held = network.tokenBalance(deriveAssociatedTokenAddress(text(BUYER), BASE, tokenBaseProgram));
      send(
        await pool.swap2({ ...order, swapBaseForQuote: true, amountIn: new BN(`${held / 3n}`), swapMode: 0 }),
      );
      send(await creator.transferPoolCreator({ pool: address, creator: CREATOR, newCreator: HEIR }));
      const claim = { ...ALL, payer: PAYER, pool: address, receiver: key(RECEIVER) };
      send(await partner.claimPartnerTradingFee2({ ...claim, feeClaimer: PARTNER }));
      send(await creator.claimCreatorTradingFee2({ ...claim, creator: HEIR }));
      send(await pool.swap2({ ...buy, amountIn: sol(1_000), swapMode: 1 }));

      send(await migration.createLocker({ pool: address, payer: PAYER }));
      const migrated = await migration.migrateToDammV2({
        pool: address,
        dammConfig: key(DAMM_CONFIG),
        payer: PAYER,
      });
      send(migrated.transaction);
      send(await migration.withdrawLeftover({ pool: address, payer: PAYER }));
      send(await partner.partnerWithdrawSurplus({ pool: address, feeClaimer: PARTNER }));
      send(await creator.creatorWithdrawSurplus({ pool: address, creator: HEIR }));
      send(await partner.partnerWithdrawMigrationFee({ pool: address, sender: PARTNER }));
      send(await creator.creatorWithdrawMigrationFee({ pool: address, sender: HEIR }));
      send(await partner.claimPartnerTradingFeeToReceiver({ ...claim, feeClaimer: PARTNER }));
      send(await creator.claimCreatorTradingFeeToReceiver({ ...claim, creator: HEIR }));

      const damm = network.account(deriveDammPoolAddress(DAMM_CONFIG, BASE, WRAPPED_SOL_MINT));
      expect(damm?.owner).toBe(METEORA_DAMM_V2_PROGRAM);
      const end = readPool(network, keys.pool);
      expect(end).toMatchObject({
        creator: text(HEIR),
        isMigrated: 1,
        isWithdrawLeftover: 1,
        isPartnerWithdrawSurplus: 1,
        isCreatorWithdrawSurplus: 1,
        migrationFeeWithdrawStatus: 0b110,
        partnerQuoteFee: 0n,
        creatorQuoteFee: 0n,
      });
      // What is left is the protocol's.
      expect(network.tokenBalance(keys.baseVault)).toBe(end.protocolMigrationBaseFeeAmount);
      expect(network.tokenBalance(keys.quoteVault)).toBeGreaterThanOrEqual(
        end.protocolQuoteFee + end.protocolMigrationQuoteFeeAmount,
      );
    });

    it('has no page of the partner or of the pool, which are refused by name', async () => {
      const { partner, creator } = DynamicBondingCurveClient.create(new NetworkConnection(network));
      const page = { name: 'a', website: 'b', logo: 'c', payer: PAYER };
      const ofPartner = network.send(
        readInstructions(await partner.createPartnerMetadata({ ...page, feeClaimer: PARTNER })),
      );
      const ofPool = network.send(
        readInstructions(
          await creator.createPoolMetadata({ ...page, creator: CREATOR, virtualPool: key(keys.pool) }),
        ),
      );
      expect([ofPartner, ofPool].map(({ error }) => error?.custom)).toEqual([101, 101]);
      expect(ofPartner.logs.join('\n')).toContain('not part of this stand-in: create_partner_metadata');
    });
  },
);

const [CONFIG, BASE] = [namedAddress('library config'), namedAddress('library mint')];
const DAMM_CONFIG = DBC_MIGRATION_CONFIGS[2] as Address;
const RECEIVER = namedAddress('library receiver');
const [PAYER, PARTNER, CREATOR, HEIR, BUYER] = ['payer', 'partner', 'creator', 'heir', 'buyer'].map((name) =>
  key(namedAddress(`library ${name}`)),
) as [PublicKey, PublicKey, PublicKey, PublicKey, PublicKey];
const CONFIG_PARTIES = {
  config: key(CONFIG),
  feeClaimer: PARTNER,
  leftoverReceiver: key(LEFTOVER_RECEIVER),
  quoteMint: key(WRAPPED_SOL_MINT),
  payer: PAYER,
};
/** The largest amounts that a claim can ask for. */
const ALL = { maxBaseAmount: new BN('18446744073709551615'), maxQuoteAmount: new BN('18446744073709551615') };

function openNetwork(): TestNetwork {
  const opened = new TestNetwork(PROGRAMS);
  prepareMigrations(opened);
  writeMint(opened, { mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM, decimals: 9, extensions: [] });
  for (const wallet of [PAYER, PARTNER, CREATOR, HEIR, BUYER]) writeWallet(opened, text(wallet), 10n ** 13n);
  setClock(opened, { slot: SLOT, time: NOW });
  return opened;
}

/** Terms by the library: a twentieth of the raised SOL is a fee, a tenth of the tokens vests, and some are left over. */
function buildTerms(tokenType: number) {
  const { token, migration } = PLAIN_TERMS;
  const plain = toSdkTerms({
    ...PLAIN_TERMS,
    token: { ...token, tokenType, quoteDecimals: 9, leftover: token.totalSupply / 10n },
    migration: { ...migration, fee: { feePercentage: 5, creatorFeePercentage: 50 } },
    lockedTokens: {
      total: token.totalSupply / 10n,
      cliffUnlock: 0n,
      numberOfPeriods: 10n,
      totalDuration: 864_000n,
      cliffDuration: 0n,
    },
  });
  return buildCurveWithMarketCap({ ...plain, initialMarketCap: 30, migrationMarketCap: 300 });
}

/** Sends what the library has built, which must succeed. */
function send(transaction: Transaction): TestOutcome {
  const outcome = network.send(readInstructions(transaction));
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  return outcome;
}

function key(address: Address): PublicKey {
  return new PublicKey(address);
}

function text(of: PublicKey): Address {
  return of.toBase58() as Address;
}

const sol = (amount: number) => new BN(amount).mul(new BN(1_000_000_000));
