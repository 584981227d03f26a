import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CollectFeeMode } from '../../protocols/meteora-damm-v2/program/layout.ts';
import { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import { DEFAULT_SEED, deriveGenesisKeys } from '../../protocol/genesis/keys.ts';
import { FEE_TIERS, PLANNED_POOLS } from '../../protocols/raydium-cpmm/genesis/plan.ts';
import { PLANNED_METEORA_POOLS } from '../../protocols/meteora-damm-v2/genesis/plan.ts';
import { type GenesisLaunch, meteoraDbcVenueGenesis } from '../../protocols/meteora-dbc/genesis/genesis.ts';
import { PLANNED_DBC_CONFIGS } from '../../protocols/meteora-dbc/genesis/plan.ts';
import { decodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { PLANNED_REFERRAL_PROJECTS } from '../../protocols/jupiter-referral/genesis.ts';
import { PLANNED_EARN_TOKENS } from '../../protocols/jupiter-lend/genesis/plan.ts';
import { PRICES_IMITATE } from '../../protocol/genesis/prices.ts';
import { PLANNED_STABLE_POOLS, STABLE_POOL_FEES } from '../../protocols/saber/genesis.ts';
import { PLANNED_STAKE_POOLS } from '../../protocols/spl-stake-pool/genesis.ts';
import { VENUES } from '../../protocols/venues.ts';
import { TOKENS } from '../../solana/known-tokens.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { DEMO_BALANCES } from '../demo/wallets.ts';
import {
  EVERYWHERE,
  PLANNED_WHIRLPOOLS,
  WHIRLPOOL_FEE_TIERS,
} from '../../protocols/whirlpool/genesis/plan.ts';

describe('docs/embedded-network.md', () => {
  it('lists every venue', () => {
    const [, labels] = /the venues that it routes through: ([^.]+)\./.exec(page) ?? [];
    expect(labels?.split(', ')).toEqual(VENUES.map(({ label }) => label));
  });

  it('lists every token', () => {
    expect(rowsBelow('| symbol | name | mint | decimals | program |')).toEqual(
      TOKENS.map(({ symbol, name, mint, decimals, program }) => {
        const programName = program === 'token' ? 'Token' : 'Token-2022';
        return `| ${symbol} | ${name} | \`${mint}\` | ${decimals} | ${programName} |`;
      }),
    );
  });

  it('lists every pool', () => {
    const basisPoints = new Map(FEE_TIERS.map(({ index, tradeFeeRate }) => [index, tradeFeeRate / 100n]));
    expect(rowsBelow('| pair | fee | depth |')).toEqual(
      PLANNED_POOLS.map(({ pair, tier, depth }) => {
        const dollars = groupDigits(depth);
        return `| ${pair.join(' / ')} | ${basisPoints.get(tier)} | ${dollars} |`;
      }),
    );
    const rates = FEE_TIERS.map(({ index }) => String(basisPoints.get(index)));
    expect(page.replaceAll('\n', ' ')).toContain(
      `${rates.slice(0, -1).join(', ')} and ${rates.at(-1)} basis points`,
    );
  });

  it('lists every pool of concentrated liquidity', () => {
    const fees = new Map(WHIRLPOOL_FEE_TIERS);
    expect(rowsBelow('| pair | tick spacing | fee | ranges |')).toEqual(
      PLANNED_WHIRLPOOLS.map(({ pair, tickSpacing, ranges, adaptiveFee }) => {
        const each = ranges.map(
          ({ reach, depth }) => `${reach === EVERYWHERE ? 'all' : groupDigits(reach)}: ${groupDigits(depth)}`,
        );
        const fee = (fees.get(tickSpacing) ?? 0) / 100;
        const shown = adaptiveFee === undefined ? fee : `from ${fee}`;
        return `| ${pair.join(' / ')} | ${tickSpacing} | ${shown} | ${each.join('; ')} |`;
      }),
    );
  });

  it('lists every DAMM v2 pool', () => {
    expect(rowsBelow('| pair | fee | taken in | prices | depth |')).toEqual(
      PLANNED_METEORA_POOLS.map(({ pair, fee, collectFeeMode, sqrtReach, depth }) => {
        const taken = collectFeeMode === CollectFeeMode.OUTPUT ? 'what goes out' : pair[1];
        const prices = sqrtReach === null ? 'all' : 'a quarter to 4 times';
        const dollars = groupDigits(depth);
        return `| ${pair.join(' / ')} | ${fee} | ${taken} | ${prices} | ${dollars} |`;
      }),
    );
    expect(PLANNED_METEORA_POOLS.map(({ sqrtReach }) => sqrtReach ?? 2n)).toEqual([2n, 2n, 2n, 2n, 2n]);
  });

  it('lists every launch', () => {
    const ledger = new AccountLedger();
    const launches = meteoraDbcVenueGenesis.addPools(ledger, deriveGenesisKeys(DEFAULT_SEED));
    const accounts = new Map(ledger.accounts().map(({ address, account }) => [address, account]));
    expect(rowsBelow('| launch | symbol | program | mint | market cap | raised |')).toEqual(
      (launches as readonly GenesisLaunch[]).map(({ plan, keys, parameters }) => {
        const config = PLANNED_DBC_CONFIGS.find(({ name }) => name === plan.config);
        const { quoteReserve } = decodeDbcPool(accounts.get(keys.pool)?.data ?? new Uint8Array(0));
        const unit = 10n ** BigInt(config?.terms.token.quoteDecimals ?? 0);
        const whole = (atoms = 0n) => groupDigits(atoms / unit);
        const caps = `${whole(config?.caps.initial)} to ${whole(config?.caps.migration)} ${config?.quote}`;
        const raised = (quoteReserve * 100n) / parameters.migrationQuoteThreshold;
        const program = keys.tokenBaseProgram === TOKEN_PROGRAM ? 'Token' : 'Token-2022';
        return `| ${plan.name} | ${plan.symbol} | ${program} | \`${keys.baseMint}\` | ${caps} | ${raised}% |`;
      }),
    );
  });

  it('lists every stable pool', () => {
    const { trade } = STABLE_POOL_FEES;
    expect(rowsBelow('| pair | amplification | fee | depth |')).toEqual(
      PLANNED_STABLE_POOLS.map(({ pair, amplification, depth }) => {
        const fee = (trade.numerator * 10_000n) / trade.denominator;
        return `| ${pair.join(' / ')} | ${groupDigits(amplification)} | ${fee} | ${groupDigits(depth)} |`;
      }),
    );
  });

  it('lists every stake pool', () => {
    const basisPoints = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) =>
      denominator === 0n ? 0n : (numerator * 10_000n) / denominator;
    expect(rowsBelow('| token | pool | deposit of SOL | withdrawal of SOL | of rewards |')).toEqual(
      PLANNED_STAKE_POOLS.map((plan) => {
        const fees = [plan.solDepositFee, plan.withdrawalFee, plan.epochFee].map(basisPoints);
        return `| ${plan.symbol} | \`${plan.address}\` | ${fees.join(' | ')} |`;
      }),
    );
  });

  it('lists every referral project', () => {
    expect(rowsBelow("| project | name | the partner's share, in basis points |")).toEqual(
      PLANNED_REFERRAL_PROJECTS.map(({ address, name, defaultShareBps }) => {
        const share = groupDigits(defaultShareBps);
        return `| \`${address}\` | ${name} | ${share} |`;
      }),
    );
  });

  it('lists every earn token', () => {
    expect(rowsBelow('| id | token | supplied | borrowed | rewards a year | positions of wallets |')).toEqual(
      PLANNED_EARN_TOKENS.map(({ symbol, supplied, borrowed, yearlyRewards, positions }, index) => {
        const rewards = yearlyRewards === null ? '' : groupDigits(yearlyRewards);
        const held = positions.map(({ wallet, usd }) => `${wallet}: ${groupDigits(usd)}`).join('; ');
        return `| ${index + 1} | ${symbol} | ${groupDigits(supplied)} | ${groupDigits(borrowed)} | ${rewards} | ${held} |`;
      }),
    );
  });

  it('lists every wallet', () => {
    expect(rowsBelow('| | address | holds |')).toEqual(
      deriveGenesisKeys(DEFAULT_SEED).demoWallets.map(({ address }, index) => {
        const held = Object.entries(DEMO_BALANCES[index] ?? {}).map(
          ([symbol, amount]) => `${amount} ${symbol}`,
        );
        return `| ${index} | \`${address}\` | ${held.join(', ')} |`;
      }),
    );
  });

  it('says which day the prices imitate', () => {
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    expect(page.replaceAll('\n', ' ')).toContain(`market of ${day.format(new Date(PRICES_IMITATE))}`);
  });

  it('has a command that writes the key of wallet 2', () => {
    const script = /^node -e '([^']+)' > wallet-2\.json$/m.exec(page)?.[1] ?? '';
    const written: unknown = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
    expect(written).toEqual([...(deriveGenesisKeys(DEFAULT_SEED).demoWallets[2]?.secretKey ?? [])]);
  });
});

const page = readFileSync(new URL('../../../docs/embedded-network.md', import.meta.url), 'utf8');
const lines = page.split('\n');

/** The rows below a table's head, up to the first line that is none. */
function rowsBelow(head: string): string[] {
  const start = lines.indexOf(head) + 2;
  expect(start, head).toBeGreaterThan(1);
  return lines.slice(
    start,
    lines.findIndex((line, index) => index >= start && !line.startsWith('|')),
  );
}

/** Writes a number as the page does, with a comma between each three digits. */
function groupDigits(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}
