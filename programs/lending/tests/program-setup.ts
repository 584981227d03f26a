import type { Account } from '../../../src/chain/accounts.ts';
import { AccountLedger } from '../../../src/protocol/genesis/account-ledger.ts';
import { toLedgerMint, tokenProgramOf } from '../../../src/protocol/genesis/mints.ts';
import type { TokenInfo } from '../../../src/solana/known-tokens.ts';
import { getLendingSymbol } from '../../../src/protocols/jupiter-lend/genesis/genesis.ts';
import type {
  BorrowTerms,
  LendingSetup,
  ReserveTerms,
  RewardTerms,
  SupplyTerms,
} from '../../../src/protocols/jupiter-lend/genesis/setup.ts';
import { createEarnInstruction } from '../../../src/protocols/jupiter-lend/lending/instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  initRewardsAdmin,
  initRewardsRateModel,
  startRewards,
} from '../../lending-reward-rate-model/tests/instructions.ts';
import {
  initLiquidity,
  initNewProtocol,
  initTokenReserve,
  operate,
  updateRateDataV2,
  updateTokenConfig,
  updateUserBorrowConfig,
  updateUserSupplyConfig,
} from '../../liquidity/tests/instructions.ts';
import { deriveReceiptMintAddress } from '../../../src/protocols/jupiter-lend/lending/addresses.ts';
import { initLending, initLendingAdmin, setRewardsRateModel } from './instructions.ts';

const PROGRAMS = ['liquidity', 'lending', 'lending-reward-rate-model', 'token-metadata'];
const WALLET_LAMPORTS = 1_000_000_000_000n;

/** Sets the lending programs up with their own instructions. */
export class ProgramSetup implements LendingSetup {
  readonly network: TestNetwork;
  readonly authority: Address;

  /** @param programs - To load, in addition to those of earn. */
  constructor(authority: Address, programs: readonly string[] = []) {
    this.network = new TestNetwork([...PROGRAMS, ...programs]);
    this.authority = authority;
    this.network.setComputeUnits(1_400_000n);
    this.network.setUnixTime(1_000_000_000n);
    this.fund(authority);
    this.run(initLiquidity(authority, authority, authority));
    this.run(initLendingAdmin(authority, authority, authority));
    this.run(initRewardsAdmin(authority, authority));
  }

  addReserve(token: TokenInfo, { rates, feeOnInterest, maxUtilization }: ReserveTerms, at: bigint): void {
    this.network.setUnixTime(at);
    const mint = {
      mintAuthority: null,
      supply: token.symbol === 'SOL' ? 0n : 1n << 58n,
      decimals: token.decimals,
      freezeAuthority: null,
      extensions: [],
    };
    this.network.setData(token.mint, tokenProgramOf(token), encodeMint(mint));
    this.run(initTokenReserve(this.authority, tokenOf(token)));
    const curve = {
      kink1: BigInt(rates.kink1),
      kink2: BigInt(rates.kink2),
      atZero: BigInt(rates.atZero),
      atKink1: BigInt(rates.atKink1),
      atKink2: BigInt(rates.atKink2),
      atMax: BigInt(rates.atMax),
    };
    this.run(updateRateDataV2(this.authority, token.mint, curve));
    this.run(updateTokenConfig(this.authority, token.mint, BigInt(feeOnInterest), BigInt(maxUtilization)));
  }

  admit(
    protocol: Address,
    { mint }: TokenInfo,
    supply: SupplyTerms,
    borrow: BorrowTerms | null,
    at: bigint,
  ): void {
    this.network.setUnixTime(at);
    this.run(initNewProtocol(this.authority, mint, mint, protocol));
    this.run(updateUserSupplyConfig(this.authority, protocol, mint, { ...supply, ...asBigInts(supply) }));
    if (borrow !== null) {
      this.run(updateUserBorrowConfig(this.authority, protocol, mint, { ...borrow, ...asBigInts(borrow) }));
    }
  }

  addLending(token: TokenInfo, at: bigint): void {
    this.network.setUnixTime(at);
    this.run(initRewardsRateModel(this.authority, token.mint));
    this.run(initLending(this.authority, tokenOf(token), getLendingSymbol(token)));
    this.run(setRewardsRateModel(this.authority, token.mint));
  }

  startRewards(token: TokenInfo, terms: RewardTerms, at: bigint): void {
    this.network.setUnixTime(at);
    this.run(startRewards(this.authority, token.mint, { ...terms, startTime: 0n }));
  }

  deposit(owner: Address, token: TokenInfo, assets: bigint, at: bigint): void {
    this.network.setUnixTime(at);
    this.supply(owner, token, assets);
    const tokenProgram = tokenProgramOf(token);
    const receipt = { payer: owner, owner, mint: deriveReceiptMintAddress(token.mint), tokenProgram };
    this.run(createAssociatedTokenIdempotent(receipt));
    this.run(createEarnInstruction('deposit', { signer: owner, mint: token.mint, tokenProgram }, assets));
  }

  borrow(protocol: Address, token: TokenInfo, amount: bigint, at: bigint): void {
    this.network.setUnixTime(at);
    this.fund(protocol);
    const { mint, tokenProgram } = tokenOf(token);
    this.run(createAssociatedTokenIdempotent({ payer: protocol, owner: protocol, mint, tokenProgram }));
    this.run(
      operate(protocol, tokenOf(token), {
        supply: true,
        borrow: true,
        supplyAmount: 0n,
        borrowAmount: amount,
        withdrawTo: protocol,
        borrowTo: protocol,
        transferType: 1,
        accounts: { withdrawTo: false, borrowTo: true, withdrawClaim: false, borrowClaim: false },
      }),
    );
  }

  /** Gives a wallet SOL. */
  fund(wallet: Address): void {
    const account: Account = {
      lamports: WALLET_LAMPORTS,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    };
    this.network.setAccount(wallet, account);
  }

  /** Gives a wallet SOL, and `amount` of a token. */
  supply(owner: Address, token: TokenInfo, amount: bigint): void {
    this.fund(owner);
    const ledger = new AccountLedger();
    ledger.addAssociatedTokens(toLedgerMint(token), { owner, amount });
    for (const { address, account } of ledger.accounts()) this.network.setAccount(address, account);
  }

  /** @throws Error with the logs when an instruction fails. */
  run(...instructions: Instruction[]): void {
    const { error, logs } = this.network.send(instructions);
    if (error !== null) throw new Error(logs.join('\n'));
  }
}

function tokenOf(token: TokenInfo) {
  return {
    mint: token.mint,
    tokenProgram: tokenProgramOf(token),
    decimals: token.decimals,
    extensions: [],
  };
}

function asBigInts({
  expandPercent,
  expandDuration,
}: {
  readonly expandPercent: number;
  readonly expandDuration: number;
}) {
  return { mode: 1, expandPercent: BigInt(expandPercent), expandDuration: BigInt(expandDuration) };
}
