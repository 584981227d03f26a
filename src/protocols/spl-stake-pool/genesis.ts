import { STAKE_ACCOUNT_SIZE } from '../../solana/programs/stake.ts';
import {
  deriveStakeDepositAuthority,
  deriveStakedexFeeAccount,
  deriveWithdrawAuthority,
} from './addresses.ts';
import { type StakePoolAddresses, updateStakePoolBalance } from './instructions.ts';
import { encodeReserve, encodeStakePool, encodeValidatorList, type StakePoolFee } from './layout.ts';
import { SOL_BRIDGE_OUT, STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM, WSOL_BRIDGE_IN } from './program.ts';
import type { Address } from '../../solana/address.ts';
import {
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_CLOCK,
  SYSVAR_STAKE_HISTORY,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../solana/programs/token/account.ts';
import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import { toLedgerMint } from '../../protocol/genesis/mints.ts';
import type { VenueGenesis } from '../../protocol/genesis/venue-genesis.ts';
import { computeAtomsWorth } from '../../protocol/genesis/prices.ts';
import { NATIVE_SYMBOL, type TokenInfo, getGenesisToken } from '../../solana/known-tokens.ts';

/** A stake pool as it stands on mainnet: addresses and fees. */
export interface PlannedStakePool {
  readonly symbol: string;
  readonly address: Address;
  readonly reserve: Address;
  readonly validatorList: Address;
  readonly managerFeeAccount: Address;
  readonly epochFee: StakePoolFee;
  readonly solDepositFee: StakePoolFee;
  readonly withdrawalFee: StakePoolFee;
}

const NO_FEE: StakePoolFee = { denominator: 0n, numerator: 0n };

/** The order is part of the genesis: append only. */
export const PLANNED_STAKE_POOLS: readonly PlannedStakePool[] = [
  {
    symbol: 'JitoSOL',
    address: 'Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb' as Address,
    reserve: 'BgKUXdS29YcHCFrPm5M8oLHiTzZaMDjsebggjoaQ6KFL' as Address,
    validatorList: '3R3nGZpQs2aZo5FDQvd2MUQ6R7KhAPainds6uT6uE2mn' as Address,
    managerFeeAccount: '6wY8tM91fQqX6aFgH3W9haPpuXqzHDVhV7HDS31xGwEt' as Address,
    epochFee: { denominator: 100n, numerator: 4n },
    solDepositFee: NO_FEE,
    withdrawalFee: { denominator: 1000n, numerator: 1n },
  },
];

/** The pools of `PLANNED_STAKE_POOLS`, and the accounts of the program through which routes reach them. */
export const splStakePoolGenesis: VenueGenesis<StakePoolAddresses> = {
  sharedAccounts: [
    STAKE_POOL_PROGRAM,
    STAKEDEX_PROGRAM,
    SOL_BRIDGE_OUT,
    WSOL_BRIDGE_IN,
    deriveStakedexFeeAccount(WRAPPED_SOL_MINT).address,
    STAKE_PROGRAM,
    SYSVAR_CLOCK,
    SYSVAR_STAKE_HISTORY,
  ],
  addPools: addStakePools,
  poolAccounts: ({ address, withdrawAuthority: authority, reserve, managerFeeAccount, mint }) => [
    address,
    authority,
    reserve,
    managerFeeAccount,
    deriveStakedexFeeAccount(mint).address,
  ],
  issuedToken: ({ mint, withdrawAuthority: mintAuthority }) => ({ mint, mintAuthority }),
  epochInstruction: updateStakePoolBalance,
};

/** Room for validators, of which the embedded network's pools have none: all their stake is in the reserve. */
const VALIDATORS = 10;
/** The rate is computed from this many dollars of both tokens, so that it has enough digits. */
const RATE_PROBE_USD = 1_000_000_000n;

/**
 * Writes the pools and the accounts of the wrapper program. Each pool has lamports for every token that the ledger has
 * so far, at the rate that the prices imply. The pools' mints belong to them.
 */
function addStakePools(ledger: AccountLedger, keys: GenesisKeys): StakePoolAddresses[] {
  ledger.addWallet(SOL_BRIDGE_OUT, computeRentExemptMinimum(TOKEN_ACCOUNT_SIZE));
  addWrapperAccount(ledger, getGenesisToken(NATIVE_SYMBOL));
  return PLANNED_STAKE_POOLS.map((plan) => {
    const token = getGenesisToken(plan.symbol);
    addWrapperAccount(ledger, token);
    return addStakePool(ledger, keys.feeOwner.address, plan, token);
  });
}

function addStakePool(
  ledger: AccountLedger,
  manager: Address,
  plan: PlannedStakePool,
  token: TokenInfo,
): StakePoolAddresses {
  const { address, reserve, validatorList, managerFeeAccount } = plan;
  const authority = deriveWithdrawAuthority(address);
  ledger.addTokens(managerFeeAccount, toLedgerMint(token), { owner: manager, amount: 0n });
  const tokenSupply = ledger.supplyOf(token.mint);
  const [lamports, tokens] = [getGenesisToken(NATIVE_SYMBOL), token].map((each) =>
    computeAtomsWorth(RATE_PROBE_USD, each),
  );
  const totalLamports = (tokenSupply * (lamports ?? 0n)) / (tokens ?? 1n);
  const data = encodeStakePool({
    manager,
    staker: manager,
    stakeDepositAuthority: deriveStakeDepositAuthority(address),
    withdrawAuthorityBump: authority.bump,
    validatorList,
    reserve,
    mint: token.mint,
    managerFeeAccount,
    tokenProgram: TOKEN_PROGRAM,
    totalLamports,
    tokenSupply,
    lastUpdateEpoch: 0n,
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
    epochFee: plan.epochFee,
    nextEpochFee: null,
    preferredDepositValidator: null,
    preferredWithdrawValidator: null,
    stakeDepositFee: NO_FEE,
    stakeWithdrawalFee: plan.withdrawalFee,
    nextStakeWithdrawalFee: null,
    stakeReferralFee: 0,
    solDepositAuthority: null,
    solDepositFee: plan.solDepositFee,
    solReferralFee: 0,
    solWithdrawAuthority: null,
    solWithdrawalFee: plan.withdrawalFee,
    nextSolWithdrawalFee: null,
    lastEpochTokenSupply: tokenSupply,
    lastEpochTotalLamports: totalLamports,
  });
  ledger.addData(address, STAKE_POOL_PROGRAM, data);
  ledger.addData(validatorList, STAKE_POOL_PROGRAM, encodeValidatorList([], VALIDATORS));
  const rent = computeRentExemptMinimum(STAKE_ACCOUNT_SIZE);
  ledger.addData(reserve, STAKE_PROGRAM, encodeReserve(authority.address, rent), totalLamports);
  return {
    address,
    withdrawAuthority: authority.address,
    validatorList,
    reserve,
    mint: token.mint,
    managerFeeAccount,
    tokenProgram: TOKEN_PROGRAM,
  };
}

/** The account in which the wrapper receives the mint's tokens before it passes them on. */
function addWrapperAccount(ledger: AccountLedger, token: TokenInfo): void {
  const { address } = deriveStakedexFeeAccount(token.mint);
  ledger.addTokens(address, toLedgerMint(token), { owner: address, amount: 0n });
}
