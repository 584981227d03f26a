import { AccountsType, AggregatorSide, Swap } from '../../../src/protocol/venue/aggregator-step.ts';

/**
 * One kind of step: its accounts in the order of the interface description, as words of name and rights (W writable,
 * S signer in the venue's call, ? as the transaction says), with the user as U and its accounts as IN and OUT. `call`
 * lists the places in the order of the venue's call where that differs.
 */
export interface StepKind {
  readonly name: string;
  readonly venue: string;
  readonly swap: Uint8Array;
  readonly accounts: string;
  readonly call?: readonly number[];
  /** The number of accounts that follow those, if any number may. */
  readonly tail?: number;
  /** The aggregator's own address marks the end of the list. */
  readonly closed?: true;
  readonly data: string;
}

const SABER = 'SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ';
const TOKEN_SWAP = 'SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8';
const RAYDIUM = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8';
const WHIRLPOOL = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc';
const RAYDIUM_CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const RAYDIUM_CP = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const DAMM_V2 = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
const DBC = 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN';
const DLMM = 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo';
const STAKEDEX = 'stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq';
const SANCTUM = '5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx';
const STABBLE = 'swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ';
const LEND = 'jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9';
const MANIFEST = 'MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms';
const FORECAST = '2sVcg2dBSUzXkmdZ8M5cp1LbnzDrWJmr6hktkHwB8nY3';
const RFQ = 'fd3nMFYTQjX1yr5ER8u7tPdHJB7qt8RpDpNtLQX2Br5';

/** The step's input, 1,000,000, and a minimum output of 0, as u64. */
const IN = '40420f0000000000';
const ZERO = '0000000000000000';
const SWAP = 'f8c69e91e17587c8';
const SWAP_V2 = '2b04ed0b1ac91e62';

const CLMM_HEAD = 'U amm_config pool.W IN.W OUT.W vault_in.W vault_out.W observation.W token_program';
const WHIRLPOOL_TAIL = 'tick_array_0.W tick_array_1.W tick_array_2.W oracle';
const DAMM_ACCOUNTS =
  'authority pool.W IN.W OUT.W vault_a.W vault_b.W mint_a mint_b U token_program_a token_program_b referral.? ' +
  'event_authority program';
const DBC_ACCOUNTS =
  'authority config pool.W IN.W OUT.W base_vault.W quote_vault.W base_mint quote_mint U base_program quote_program ' +
  'referral.? event_authority program';
const DLMM_HEAD =
  'pair.W bitmap reserve_x.W reserve_y.W IN.W OUT.W mint_x mint_y oracle.W host_fee.? U token_program_x ' +
  'token_program_y';
const RFQ_TAIL = 'maker_base.W maker_quote.W base_mint quote_mint base_program quote_program sysvar';
const MANIFEST_TAIL =
  'base_vault.W quote_vault.W base_program base_mint quote_program quote_mint global.W global_vault.W';

export const STEP_KINDS: readonly StepKind[] = [
  {
    name: 'Saber',
    venue: SABER,
    swap: Swap.saber,
    accounts: 'token_program swap.? authority U IN.W reserve_in.W OUT.W reserve_out.W admin_fee.W',
    call: [1, 2, 3, 4, 5, 7, 6, 8, 0],
    data: `01${IN}${ZERO}`,
  },
  {
    name: 'TokenSwap',
    venue: TOKEN_SWAP,
    swap: Swap.tokenSwap,
    accounts: 'token_program swap authority U IN.W pool_in.W pool_out.W OUT.W pool_mint.W fee.W',
    call: [1, 2, 3, 4, 5, 6, 7, 8, 9, 0],
    data: `01${IN}${ZERO}`,
  },
  {
    name: 'Raydium',
    venue: RAYDIUM,
    swap: Swap.raydium,
    accounts:
      'token_program amm.W authority open_orders.W coin_vault.W pc_vault.W serum market.W bids.W asks.W queue.W ' +
      'market_coin.W market_pc.W vault_signer IN.W OUT.W U',
    data: `09${IN}${ZERO}`,
  },
  {
    name: 'RaydiumV2',
    venue: RAYDIUM,
    swap: Swap.raydiumV2,
    accounts: 'token_program amm.W authority coin_vault.W pc_vault.W IN.W OUT.W U',
    data: `10${IN}${ZERO}`,
  },
  ...[true, false].map((aToB) => ({
    name: `Whirlpool ${aToB ? 'a to b' : 'b to a'}`,
    venue: WHIRLPOOL,
    swap: Swap.whirlpool(aToB),
    accounts: `token_program U pool.W ${aToB ? 'IN' : 'OUT'}.W vault_a.W ${aToB ? 'OUT' : 'IN'}.W vault_b.W ${WHIRLPOOL_TAIL}`,
    data: `${SWAP}${IN}${ZERO}${ZERO}${ZERO}010${aToB ? 1 : 0}`,
  })),
  ...[true, false].map((aToB) => ({
    name: `WhirlpoolSwapV2 ${aToB ? 'a to b' : 'b to a'}`,
    venue: WHIRLPOOL,
    swap: Swap.whirlpoolSwapV2(aToB, null),
    accounts: `program_a program_b memo U pool.W mint_a mint_b ${aToB ? 'IN' : 'OUT'}.W vault_a.W ${aToB ? 'OUT' : 'IN'}.W vault_b.W ${WHIRLPOOL_TAIL}.W`,
    data: `${SWAP_V2}${IN}${ZERO}${ZERO}${ZERO}010${aToB ? 1 : 0}00`,
  })),
  {
    name: 'WhirlpoolSwapV2 with two slices',
    venue: WHIRLPOOL,
    swap: Swap.whirlpoolSwapV2(true, [
      { accountsType: AccountsType.SUPPLEMENTAL_TICK_ARRAYS, length: 2 },
      { accountsType: AccountsType.SUPPLEMENTAL_TICK_ARRAYS, length: 1 },
    ]),
    accounts: `program_a program_b memo U pool.W mint_a mint_b IN.W vault_a.W OUT.W vault_b.W ${WHIRLPOOL_TAIL}.W`,
    tail: 3,
    data: `${SWAP_V2}${IN}${ZERO}${ZERO}${ZERO}01010102000000${'06020601'}`,
  },
  {
    name: 'RaydiumClmm',
    venue: RAYDIUM_CLMM,
    swap: Swap.raydiumClmm,
    accounts: `${CLMM_HEAD} tick_array.W`,
    tail: 2,
    closed: true,
    data: `${SWAP}${IN}${ZERO}${ZERO}${ZERO}01`,
  },
  {
    name: 'RaydiumClmmV2',
    venue: RAYDIUM_CLMM,
    swap: Swap.raydiumClmmV2,
    accounts: `${CLMM_HEAD} token_program_2022 memo mint_in mint_out`,
    tail: 3,
    closed: true,
    data: `${SWAP_V2}${IN}${ZERO}${ZERO}${ZERO}01`,
  },
  {
    name: 'RaydiumCP',
    venue: RAYDIUM_CP,
    swap: Swap.raydiumCp,
    accounts:
      'U authority amm_config pool.W IN.W OUT.W vault_in.W vault_out.W program_in program_out mint_in mint_out observation.W',
    data: `8fbe5adac41e33de${IN}${ZERO}`,
  },
  {
    name: 'MeteoraDammV2',
    venue: DAMM_V2,
    swap: Swap.meteoraDammV2,
    accounts: DAMM_ACCOUNTS,
    data: `${SWAP}${IN}${ZERO}`,
  },
  {
    name: 'MeteoraDammV2WithRemainingAccounts',
    venue: DAMM_V2,
    swap: Swap.meteoraDammV2WithRemainingAccounts,
    accounts: DAMM_ACCOUNTS,
    tail: 2,
    closed: true,
    data: `${SWAP}${IN}${ZERO}`,
  },
  {
    name: 'MeteoraDynamicBondingCurveSwap',
    venue: DBC,
    swap: Swap.meteoraDynamicBondingCurveSwap,
    accounts: DBC_ACCOUNTS,
    data: `${SWAP}${IN}${ZERO}`,
  },
  {
    name: 'MeteoraDynamicBondingCurveSwapWithRemainingAccounts',
    venue: DBC,
    swap: Swap.meteoraDynamicBondingCurveSwapWithRemainingAccounts,
    accounts: DBC_ACCOUNTS,
    tail: 2,
    closed: true,
    data: `${SWAP}${IN}${ZERO}`,
  },
  {
    name: 'MeteoraDlmm',
    venue: DLMM,
    swap: Swap.meteoraDlmm,
    accounts: `${DLMM_HEAD} event_authority program`,
    tail: 3,
    closed: true,
    data: `${SWAP}${IN}${ZERO}`,
  },
  {
    name: 'MeteoraDlmmSwapV2',
    venue: DLMM,
    swap: Swap.meteoraDlmmSwapV2([]),
    accounts: `${DLMM_HEAD} memo event_authority program`,
    tail: 3,
    closed: true,
    data: `414b3f4ceb5b5b88${IN}${ZERO}00000000`,
  },
  {
    name: 'StakeDexStakeWrappedSol',
    venue: STAKEDEX,
    swap: Swap.stakeDexStakeWrappedSol,
    accounts: 'U IN.W OUT.W wsol_bridge.W sol_bridge.W dest_fee.W dest_mint.W wsol_mint token_program system',
    tail: 4,
    closed: true,
    data: `00${IN}`,
  },
  {
    name: 'StakeDexWithdrawWrappedSol',
    venue: STAKEDEX,
    swap: Swap.stakeDexWithdrawWrappedSol,
    accounts: 'U IN.W OUT.W src_fee.W src_mint.W wsol_mint token_program',
    tail: 4,
    closed: true,
    data: `08${IN}`,
  },
  {
    name: 'SanctumS',
    venue: SANCTUM,
    swap: Swap.sanctumS({
      sourceCalculatorAccounts: 2,
      destinationCalculatorAccounts: 3,
      sourceIndex: 258,
      destinationIndex: 772,
    }),
    accounts:
      'U src_mint dst_mint IN.W OUT.W protocol_fee.W src_program dst_program pool.W list.W src_reserves.W dst_reserves.W',
    tail: 5,
    closed: true,
    data: `0102030201000004030000${ZERO}${IN}`,
  },
  {
    name: 'StabbleStableSwap',
    venue: STABBLE,
    swap: Swap.stabbleStableSwap,
    accounts:
      'U IN.W OUT.W vault_in.W vault_out.W beneficiary.W pool.W withdraw_authority vault vault_authority vault_program token_program',
    data: `${SWAP}01${IN}${ZERO}`,
  },
  {
    name: 'StabbleStableSwapV2',
    venue: STABBLE,
    swap: Swap.stabbleStableSwapV2,
    accounts:
      'U mint_in mint_out IN.W OUT.W vault_in.W vault_out.W beneficiary.W pool.W withdraw_authority vault ' +
      'vault_authority vault_program token_program token_program_2022',
    data: `${SWAP_V2}01${IN}${ZERO}`,
  },
  {
    name: 'JupiterLendDeposit',
    venue: LEND,
    swap: Swap.jupiterLendDeposit,
    accounts:
      'U.W IN.W OUT.W mint admin lending.W jl_mint.W reserve.W supply.W rate_model vault.W liquidity.W ' +
      'liquidity_program.W rewards token_program ata_program system',
    data: `f223c68952e1f2b6${IN}`,
  },
  {
    name: 'JupiterLendRedeem',
    venue: LEND,
    swap: Swap.jupiterLendRedeem,
    accounts:
      'U.W IN.W OUT.W admin lending.W mint jl_mint.W reserve.W supply.W rate_model vault.W claim.W liquidity.W ' +
      'liquidity_program.W rewards token_program ata_program system',
    data: `b80c569546c461e1${IN}`,
  },
  ...[AggregatorSide.BID, AggregatorSide.ASK].map((side) => ({
    name: `Manifest ${side === AggregatorSide.BID ? 'Bid' : 'Ask'}`,
    venue: MANIFEST,
    swap: Swap.manifest(side),
    accounts: `U.W U.W market.W system ${side === AggregatorSide.BID ? 'OUT.W IN.W' : 'IN.W OUT.W'} ${MANIFEST_TAIL}`,
    data: `0d${IN}${ZERO}0${side}01`,
  })),
  ...[true, false].map((aToB) => ({
    name: `BisonFi ${aToB ? 'a to b' : 'b to a'}`,
    venue: FORECAST,
    swap: Swap.bisonFi(aToB),
    accounts: `U side round.W feed mint.W vault.W ${aToB ? 'IN.W OUT.W' : 'OUT.W IN.W'} token_program token_2022`,
    data: `${SWAP}0${aToB ? 1 : 0}${IN}${ZERO}`,
  })),
  ...[AggregatorSide.BID, AggregatorSide.ASK].map((side) => ({
    name: `JupiterRfqV2 ${side === AggregatorSide.BID ? 'Bid' : 'Ask'}`,
    venue: RFQ,
    swap: Swap.jupiterRfqV2(side, Uint8Array.of(1, 2, 3, 4, 5)),
    accounts: `U maker.S ${side === AggregatorSide.BID ? 'OUT.W IN.W' : 'IN.W OUT.W'} ${RFQ_TAIL}`,
    data: `ded006d19aa3365e0${side}${IN}0102030405`,
  })),
];
