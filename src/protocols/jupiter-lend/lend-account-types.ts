import {
  describeInterfaceAccount,
  describeAnchorAccount,
} from '../../protocol/accounts/interface-accounts.ts';
import {
  type AccountFieldHints,
  type AccountType,
  BASIS_POINTS,
  type ProgramAccounts,
} from '../../protocol/accounts/program-accounts.ts';
import { FLASHLOAN_ADMIN_ACCOUNT } from './flashloan/layouts.ts';
import { REWARDS } from './lending-reward-rate-model/layouts.ts';
import { LENDING_INTERFACE } from './lending/interface.ts';
import { LENDING } from './lending/layouts.ts';
import type { AccountLayout } from './lending-base/account-layout.ts';
import {
  FLASHLOAN_PROGRAM,
  LENDING_PROGRAM,
  LIQUIDITY_PROGRAM,
  ORACLE_PROGRAM,
  REWARDS_PROGRAM,
  VAULTS_PROGRAM,
} from './lending-base/programs.ts';
import {
  BORROW_POSITION,
  LIQUIDITY_ACCOUNT,
  RATE_MODEL,
  RESERVE,
  SUPPLY_POSITION,
} from './liquidity/layouts.ts';
import { MARINADE_PROGRAM } from './oracle/genesis.ts';
import { decodeOracle, decodeOracleAdmin } from './oracle/layouts.ts';
import { deriveVaultConfigAddress } from './vaults/state/addresses.ts';
import {
  BRANCH,
  POSITION,
  TICK,
  TICK_ID_LIQUIDATION,
  VAULT_CONFIG,
  VAULT_METADATA,
  VAULT_STATE,
} from './vaults/state/layouts.ts';
import { decodeTickHasDebt } from './vaults/state/tick-has-debt.ts';

/** Vaults count both tokens with nine decimals, whatever those of the tokens are. */
const VAULT_UNITS = { decimals: 9 };
/** 10^12 is 1. */
const PRICE = { decimals: 12 };
const OF_MINT = { amountOf: 'mint' };

const RATES: AccountFieldHints = {
  borrowRate: BASIS_POINTS,
  feeOnInterest: BASIS_POINTS,
  lastUtilization: BASIS_POINTS,
  maxUtilization: BASIS_POINTS,
  rateAtZero: BASIS_POINTS,
  kink1Utilization: BASIS_POINTS,
  rateAtKink1: BASIS_POINTS,
  kink2Utilization: BASIS_POINTS,
  rateAtKink2: BASIS_POINTS,
  rateAtMax: BASIS_POINTS,
  expandPercent: BASIS_POINTS,
};

const LIQUIDITY_ACCOUNTS: ProgramAccounts = {
  program: LIQUIDITY_PROGRAM,
  types: [
    describeLayout(
      RESERVE,
      'Reserve of a token',
      'What lending holds of a token, and what was borrowed of it.',
      {
        ...RATES,
        lastUpdateTimestamp: 'time',
        interactingTimestamp: 'time',
        supplyExchangePrice: PRICE,
        borrowExchangePrice: PRICE,
        totalSupplyWithInterest: OF_MINT,
        totalSupplyInterestFree: OF_MINT,
        totalBorrowWithInterest: OF_MINT,
        totalBorrowInterestFree: OF_MINT,
        totalClaimAmount: OF_MINT,
        interactingBalance: OF_MINT,
      },
    ),
    describeLayout(
      RATE_MODEL,
      'Rate model',
      'How the borrow rate of a token follows how much of it is lent.',
      RATES,
    ),
    describeLayout(SUPPLY_POSITION, 'Supply of a protocol', 'What a protocol has supplied of a token.', {
      ...RATES,
      amount: OF_MINT,
      withdrawalLimit: OF_MINT,
      baseWithdrawalLimit: OF_MINT,
      lastUpdate: 'time',
      status: { names: { 0: 'active', 1: 'paused', 2: 'not configured' } },
    }),
    describeLayout(BORROW_POSITION, 'Debt of a protocol', 'What a protocol has borrowed of a token.', {
      ...RATES,
      amount: OF_MINT,
      debtCeiling: OF_MINT,
      baseDebtCeiling: OF_MINT,
      maxDebtCeiling: OF_MINT,
      lastUpdate: 'time',
      status: { names: { 0: 'active', 1: 'paused', 2: 'not configured' } },
    }),
    describeLayout(LIQUIDITY_ACCOUNT, 'Liquidity', 'It owns the reserves of all tokens.'),
    describeAnchorAccount(
      'AuthorizationList',
      [
        ['authUsers', { vec: 'pubkey' }],
        ['guardians', { vec: 'pubkey' }],
      ],
      { name: 'Authorization list', summary: 'Who may change the terms of lending, and who may pause it.' },
    ),
  ],
};

const VAULTS_ACCOUNTS: ProgramAccounts = {
  program: VAULTS_PROGRAM,
  types: [
    {
      name: 'Lending position',
      summary:
        'Collateral in a vault, and the debt that it secures. The holder of the one token of its mint owns it.',
      read: (data) => {
        const position = POSITION.decode(data);
        return { ...position, vaultConfig: deriveVaultConfigAddress(position.vaultId).address };
      },
      fields: { supplyAmount: VAULT_UNITS, dustDebtAmount: VAULT_UNITS },
    },
    describeLayout(
      VAULT_CONFIG,
      'Terms of a vault',
      'Which token secures loans of which other one, and on what terms.',
      {
        collateralFactor: { outOf: 1_000 },
        liquidationThreshold: { outOf: 1_000 },
        liquidationMaxLimit: { outOf: 1_000 },
        withdrawGap: { outOf: 1_000 },
        supplyRateMagnifier: BASIS_POINTS,
        borrowRateMagnifier: BASIS_POINTS,
        liquidationPenalty: BASIS_POINTS,
        borrowFee: BASIS_POINTS,
      },
    ),
    describeLayout(VAULT_STATE, 'State of a vault', 'The totals of a vault.', {
      totalSupply: VAULT_UNITS,
      totalBorrow: VAULT_UNITS,
      absorbedDebtAmount: VAULT_UNITS,
      absorbedColAmount: VAULT_UNITS,
      absorbedDustDebt: VAULT_UNITS,
      liquiditySupplyExchangePrice: PRICE,
      liquidityBorrowExchangePrice: PRICE,
      vaultSupplyExchangePrice: PRICE,
      vaultBorrowExchangePrice: PRICE,
      lastUpdateTimestamp: 'time',
    }),
    describeLayout(VAULT_METADATA, 'Metadata of a vault', 'The lookup table and the decimals of a vault.'),
    describeLayout(
      TICK,
      'Tick of a vault',
      'All positions of a vault with the same ratio of debt to collateral.',
      {
        rawDebt: VAULT_UNITS,
      },
    ),
    describeLayout(
      TICK_ID_LIQUIDATION,
      'Liquidations of a tick',
      'How earlier positions of a tick were liquidated.',
    ),
    describeLayout(BRANCH, 'Branch of a vault', 'Positions that were liquidated together.', {
      status: { names: { 0: 'not liquidated', 1: 'liquidated', 2: 'merged', 3: 'closed' } },
      debtLiquidity: VAULT_UNITS,
    }),
    {
      name: 'Ticks with debt',
      summary: 'A bit for each of 2,048 ticks of a vault, which says whether there is debt.',
      read: decodeTickHasDebt,
    },
    describeAnchorAccount(
      'VaultAdmin',
      [
        ['authority', 'pubkey'],
        ['liquidityProgram', 'pubkey'],
        ['nextVaultId', 'u16'],
        ['auths', { vec: 'pubkey' }],
      ],
      { name: 'Administration of vaults', summary: 'Who may create vaults and change them.' },
    ),
  ],
};

/** The accounts of the lending programs. */
export const LEND_ACCOUNTS: readonly ProgramAccounts[] = [
  LIQUIDITY_ACCOUNTS,
  VAULTS_ACCOUNTS,
  {
    program: LENDING_PROGRAM,
    types: [
      describeLayout(LENDING, 'Earn token', 'Deposits of one token, for which receipt tokens are paid out.', {
        liquidityExchangePrice: PRICE,
        tokenExchangePrice: PRICE,
        lastUpdateTimestamp: 'time',
      }),
      describeInterfaceAccount(LENDING_INTERFACE, 'LendingAdmin', {
        name: 'Administration of earn tokens',
        summary: 'Who may create earn tokens and change them.',
      }),
    ],
  },
  {
    program: REWARDS_PROGRAM,
    types: [
      describeLayout(REWARDS, 'Rewards of an earn token', 'What is paid in addition to the interest.', {
        startTvl: OF_MINT,
        yearlyReward: OF_MINT,
        nextRewardAmount: OF_MINT,
        startTime: 'time',
      }),
      describeAnchorAccount(
        'LendingRewardsAdmin',
        [
          ['authority', 'pubkey'],
          ['lendingProgram', 'pubkey'],
          ['auths', { vec: 'pubkey' }],
        ],
        { name: 'Administration of rewards', summary: 'Who may set rewards.' },
      ),
    ],
  },
  {
    program: ORACLE_PROGRAM,
    types: [
      {
        name: 'Oracle',
        summary:
          'How the price of a vault is computed: the price of each source, multiplied one by the other.',
        read: decodeOracle,
      },
      { name: 'Administration of oracles', summary: 'Who may create oracles.', read: decodeOracleAdmin },
    ],
  },
  {
    program: MARINADE_PROGRAM,
    label: 'Marinade',
    types: [
      describeAnchorAccount('State', [['msolMint', 'pubkey']], {
        name: 'Stake pool',
        summary: 'The state of a stake pool, by which oracles know what its token is worth in SOL.',
      }),
    ],
  },
  {
    program: FLASHLOAN_PROGRAM,
    types: [
      describeLayout(
        FLASHLOAN_ADMIN_ACCOUNT,
        'Flash loans',
        'Whether loans within one transaction are enabled, and their fee.',
        { flashloanFee: BASIS_POINTS, flashloanTimestamp: 'time' },
      ),
    ],
  },
];

function describeLayout<Values extends object>(
  layout: AccountLayout<Values>,
  name: string,
  summary: string,
  fields: AccountFieldHints = {},
): AccountType {
  return { name, summary, read: layout.decode, fields };
}
