import {
  layOut,
  namedAddress,
  type Pool,
  swapParties,
  token,
  withTransferFee,
  writePool,
  writePoolFeeReceiver,
  writeTokenAccount,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import {
  collectFundFee,
  collectProtocolFee,
  updatePoolStatus,
} from '../../../programs/raydium-cpmm/tests/instructions.ts';
import { deriveRaydiumConfigAddress } from '../../../src/protocols/raydium-cpmm/program/addresses.ts';
import {
  deposit,
  initialize,
  swapBaseInput,
  swapBaseOutput,
  withdraw,
} from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import type { RaydiumSides } from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import { RAYDIUM_CPMM_ADMIN } from '../../../src/protocols/raydium-cpmm/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { NO_ACCOUNT, type Twin } from '../twin.ts';

/** Every instruction that all builds have, as it should be, and accounts that do not belong into it. */
export function validInstructions(networks: Twin): [name: string, Instruction, Address[]][] {
  const plain = [token('wrong a'), token('wrong b')] as const;
  const extended = [token('wrong c', [withTransferFee(FEE)]), token('wrong d', [], true)] as const;
  const owner = namedAddress('protocol owner');
  const made: [string, Instruction, Address[]][] = [];
  for (const tokens of [plain, extended]) {
    const pool = layOut(tokens);
    const other = layOut([token('wrong e'), token('wrong f')]);
    networks.both((network) => {
      writePool(network, { tokens: other.tokens });
      writePool(network, { tokens, pool: { protocolFees: [9n, 9n], fundFees: [9n, 9n] } });
      writePoolFeeReceiver(network);
      network.setAccount(
        deriveRaydiumConfigAddress(1),
        network.account(deriveRaydiumConfigAddress(0)) ?? NO_ACCOUNT,
      );
    });
    const { addresses, user } = pool;
    const parties = swapParties(pool, 0);
    const unmade = layOut([tokens[0], other.tokens[0]]);
    const payer = { ...unmade.user, tokens: unmadeTokens(networks, unmade) };
    const strangers = [
      ...[SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM],
      ...[
        addresses.address,
        addresses.config,
        deriveRaydiumConfigAddress(1),
        addresses.observation,
        addresses.lpMint,
      ],
      ...[...addresses.vaults, ...addresses.mints, ...user.tokens, user.lpToken, user.owner],
      ...[other.addresses.address, other.addresses.observation, other.addresses.lpMint],
      ...[...other.addresses.vaults, ...other.addresses.mints, namedAddress('nothing')],
    ];
    const start = { amounts: [1_000_000n, 1_000_000n] as const, openTime: 0n };
    const limits = [U64_MAX, U64_MAX] as const;
    made.push(
      ['swap_base_input', swapBaseInput(addresses, addresses.mints[0], parties, 1000n, 1n), strangers],
      ['swap_base_output', swapBaseOutput(addresses, addresses.mints[0], parties, U64_MAX, 1000n), strangers],
      ['deposit', deposit(addresses, user, 1000n, limits), strangers],
      ['withdraw', withdraw(addresses, user, 1000n, [0n, 0n]), strangers],
      ['collect_protocol_fee', collectProtocolFee(addresses, owner, user.tokens, limits), strangers],
      ['collect_fund_fee', collectFundFee(addresses, RAYDIUM_CPMM_ADMIN, user.tokens, limits), strangers],
      ['update_pool_status', updatePoolStatus(addresses.address, 7), strangers],
      ['initialize', initialize(unmade.addresses, payer, start), strangers],
    );
  }
  return made;
}

const FEE = { basisPoints: 100, maximumFee: 1000n };

/** Token accounts of the user for a pool that does not exist yet. */
function unmadeTokens(networks: Twin, { tokens, user }: Pool): RaydiumSides<Address> {
  const accounts = [namedAddress('unmade 0'), namedAddress('unmade 1')] as const;
  networks.both((network) => {
    for (const side of [0, 1] as const) {
      writeTokenAccount(network, accounts[side], user.owner, tokens[side], 1n << 40n);
    }
  });
  return accounts;
}
