import type { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../protocol/genesis/keys.ts';
import { getGenesisPools, type GenesisPools } from '../../protocol/genesis/venue-genesis.ts';
import { meteoraDammV2Genesis } from '../../protocols/meteora-damm-v2/genesis/genesis.ts';
import { deriveDammPositionTokenAddress } from '../../protocols/meteora-damm-v2/program/addresses.ts';
import { raydiumCpmmGenesis } from '../../protocols/raydium-cpmm/genesis/genesis.ts';
import { saberGenesis } from '../../protocols/saber/genesis.ts';
import { whirlpoolGenesis } from '../../protocols/whirlpool/genesis/genesis.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { addCollector } from './collector.ts';
import { addDemoPositions } from './demo-positions.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';

/** The demo wallet gets one of this many LP tokens of the pool creator. */
const LP_SHARE = 1_000n;

/**
 * Gives the first demo wallet a position of every kind, and writes a wallet with thousands of tokens. Liquidity is what
 * the pool creator gives away, so the pools are the same with and without it.
 */
export function addWalletPositions(
  ledger: AccountLedger,
  { demoWallets, poolCreator, collector }: GenesisKeys,
  pools: GenesisPools,
  foundedAt: bigint,
): void {
  const [wallet] = demoWallets;
  if (wallet === undefined) throw new Error('the genesis has no demo wallet');
  const owner = wallet.address;
  addDemoPositions({ ledger, owner, foundedAt });
  addCollector(ledger, collector.address);
  const give = (mint: Address, tokenProgram: Address, from: Address, amount: bigint) =>
    ledger.giveTokens({ mint, tokenProgram, accountExtensions: [] }, from, { owner, amount });
  const share = (mint: Address) => {
    const from = deriveAssociatedTokenAddress(poolCreator.address, mint, TOKEN_PROGRAM);
    give(mint, TOKEN_PROGRAM, from, ledger.supplyOf(mint) / LP_SHARE);
  };
  const bern = getGenesisToken('BERN').mint;
  const orca = getGenesisToken('ORCA').mint;
  const cpmm = getGenesisPools({ pools }, raydiumCpmmGenesis).find(({ mints }) => mints.includes(orca));
  const stable = getGenesisPools({ pools }, saberGenesis)[0];
  if (cpmm !== undefined) share(cpmm.lpMint);
  if (stable !== undefined) share(stable.lpMint);
  const concentrated = getGenesisPools({ pools }, whirlpoolGenesis).find(({ mints }) => mints.includes(bern));
  for (const { mint } of concentrated?.positions ?? []) {
    give(mint, TOKEN_PROGRAM, deriveAssociatedTokenAddress(poolCreator.address, mint, TOKEN_PROGRAM), 1n);
  }
  const damm = getGenesisPools({ pools }, meteoraDammV2Genesis).find(({ mints }) => mints.includes(bern));
  if (damm !== undefined)
    give(damm.positionMint, TOKEN_2022_PROGRAM, deriveDammPositionTokenAddress(damm.positionMint), 1n);
}
