import { DynamicBondingCurveClient } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { describe, expect, it } from 'vitest';
import { decodeDbcEvent } from '../../../src/protocols/meteora-dbc/program/events.ts';
import type { DbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import {
  DbcCollectFeeMode,
  METEORA_DBC_PROGRAM,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { NetworkConnection, readInstructions } from '../../../src/testing/svm/network-connection.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { type Token, writeMint, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import { CREATOR, PARTNER, PAYER, QUOTE } from './fixture.ts';
import { LaunchNetwork } from './launch-network.ts';
import { baseOf, buy, readPool, sell, USER, USER_TOKENS } from './swap-fixture.ts';

const network = openForEach(() => new LaunchNetwork());

describe.each([
  ['the partner', PARTNER, buildPartnerClaim],
  ['the creator', CREATOR, buildCreatorClaim],
] as const)('%s claims by a transaction of Meteora’s library', (who, claimer, build) => {
  it.each([
    ['a token of the classic program', 'another token', 0, QUOTE],
    ['a token of Token-2022', 'another token', 1, QUOTE],
    ['a token of the classic program', 'SOL', 0, WRAPPED_SOL],
    ['a token of Token-2022', 'SOL', 1, WRAPPED_SOL],
  ] as const)('the fees of %s that is sold for %s', async (_, __, tokenType, quote) => {
    const keys = launchTraded(tokenType, quote);
    const before = readPool(network, keys.pool);
    const isPartner = who === 'the partner';
    const base = isPartner ? before.partnerBaseFee : before.creatorBaseFee;
    const paid = isPartner ? before.partnerQuoteFee : before.creatorQuoteFee;
    expect([base > 0n, paid > 0n]).toEqual([true, true]);
    const receiver = network.newWallet(0n);
    const outcome = network.send(readInstructions(await build(keys.pool, receiver)));
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();

    const account = deriveAssociatedTokenAddress(receiver, keys.baseMint, keys.tokenBaseProgram);
    expect(network.tokenBalance(account)).toBe(base);
    expect(quoteReceived(receiver, claimer, quote)).toBe(paid);
    const events = outcome.inner.flat().filter((call) => call.program === METEORA_DBC_PROGRAM);
    expect(events.map(({ data }) => decodeDbcEvent(data))).toEqual([
      {
        kind: isPartner ? 'partnerFeeClaimed' : 'creatorFeeClaimed',
        pool: keys.pool,
        tokenBaseAmount: base,
        tokenQuoteAmount: paid,
      },
    ]);
    const { partnerBaseFee, partnerQuoteFee, creatorBaseFee, creatorQuoteFee } = readPool(network, keys.pool);
    const left = isPartner ? [partnerBaseFee, partnerQuoteFee] : [creatorBaseFee, creatorQuoteFee];
    expect(left).toEqual([0n, 0n]);
  });
});

const UNIT = 1_000_000n;
const WRAPPED_SOL: Token = {
  mint: WRAPPED_SOL_MINT,
  tokenProgram: TOKEN_PROGRAM,
  decimals: 9,
  extensions: [],
};
/** The largest amounts that a claim can ask for. */
const ALL = { maxBaseAmount: new BN('18446744073709551615'), maxQuoteAmount: new BN('18446744073709551615') };

function buildPartnerClaim(pool: Address, receiver: Address) {
  return openLibrary().partner.claimPartnerTradingFee2({
    ...ALL,
    feeClaimer: new PublicKey(PARTNER),
    payer: new PublicKey(PAYER),
    pool: new PublicKey(pool),
    receiver: new PublicKey(receiver),
  });
}

function buildCreatorClaim(pool: Address, receiver: Address) {
  return openLibrary().creator.claimCreatorTradingFee2({
    ...ALL,
    creator: new PublicKey(CREATOR),
    payer: new PublicKey(PAYER),
    pool: new PublicKey(pool),
    receiver: new PublicKey(receiver),
  });
}

const openLibrary = () => DynamicBondingCurveClient.create(new NetworkConnection(network));

/** Launches a token, and trades it so that both tokens are owed to partner and creator. */
function launchTraded(tokenType: number, quote: Token): DbcPoolKeys {
  writeMint(network, quote);
  const terms = { creatorTradingFeePercentage: 30, collectFeeMode: DbcCollectFeeMode.OUTPUT_TOKEN };
  const { keys } = network.launch({ quote, changes: { ...terms, tokenType } });
  writeTokenAccount(network, USER_TOKENS[0], USER, baseOf(keys), 0n);
  if (quote === WRAPPED_SOL) writeWrappedSol(USER_TOKENS[1], 1_000n * UNIT);
  else writeTokenAccount(network, USER_TOKENS[1], USER, quote, 1_000n * UNIT);
  network.done(buy(keys, 100n * UNIT));
  network.done(sell(keys, network.tokenBalance(USER_TOKENS[0]) / 2n));
  return keys;
}

/** Writes a token account of wrapped SOL with the lamports that stand behind its amount. */
function writeWrappedSol(address: Address, amount: bigint): void {
  const nativeReserve = 2_039_280n;
  const data = ordinaryTokenAccount({ mint: WRAPPED_SOL_MINT, owner: USER, amount, nativeReserve });
  const lamports = nativeReserve + amount;
  network.setAccount(address, { lamports, owner: TOKEN_PROGRAM, data, executable: false, rentEpoch: 0n });
}

/** Returns what the receiver got: lamports, unwrapped with the rent of the claimer's account of them, or tokens. */
function quoteReceived(receiver: Address, claimer: Address, { mint, tokenProgram }: Token): bigint {
  if (mint !== WRAPPED_SOL_MINT) {
    return network.tokenBalance(deriveAssociatedTokenAddress(receiver, mint, tokenProgram));
  }
  expect(network.account(deriveAssociatedTokenAddress(claimer, mint, tokenProgram))).toBeNull();
  const rent = network.svm.minimumBalanceForRentExemption(165n);
  return (network.account(receiver)?.lamports ?? 0n) - rent;
}
