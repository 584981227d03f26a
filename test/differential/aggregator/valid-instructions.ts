import { blankAccount, given, nameAccounts, routeOf } from '../../../programs/aggregator/tests/step-calls.ts';
import { AUTHORITY_ID, type RouteWorld } from '../../../programs/aggregator/tests/route-world.ts';
import { STEP_KINDS } from '../../../programs/aggregator/tests/step-kinds.ts';
import { AGGREGATOR_PROGRAM, DISCRIMINATOR } from '../../../src/protocol/venue/aggregator-program.ts';
import * as v1 from '../../../src/market/aggregator/route-v1.ts';
import * as v2 from '../../../src/market/aggregator/route-v2.ts';
import {
  createTokenAccount,
  createTokenLedger,
  setTokenLedger,
} from '../../../src/market/aggregator/token-accounts.ts';
import { type Address, address, toAddressBytes } from '../../../src/solana/address.ts';
import {
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../../src/solana/pda.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import type { CaseWorld } from './route-twin.ts';

const FEE_WALLET = address('7JQeyNK55fkUPUmEotupBFpiBGpgEQYLe8Ht1VdSfxcP');

/** Every kind of step in a route of its own, closed where its list is, with one account more behind it. */
export function* stepInstructions({ world }: CaseWorld): Iterable<readonly [string, Instruction]> {
  for (const kind of STEP_KINDS) {
    const end = kind.closed ? [readonly(AGGREGATOR_PROGRAM), readonly(blankAccount(world))] : [];
    yield [kind.name, routeOf(world, kind, [...given(world, nameAccounts(world, kind)), ...end])];
  }
}

/** Every instruction that the stand-in has, each in a form that succeeds. */
export function* validInstructions(each: CaseWorld): Iterable<readonly [string, Instruction]> {
  yield* routeForms(each);
  yield* ledgersAndAccounts(each);
  yield* claims(each.world);
}

function* routeForms({ world, ledger }: CaseWorld): Iterable<readonly [string, Instruction]> {
  const step = (shared: boolean) => {
    const own = shared ? world.programs : world.users;
    const authority = shared ? world.authority : world.user;
    return [
      {
        step: world.step(own.a, own.b, { authority }),
        bps: 10_000,
        percent: 100,
        inputIndex: 0,
        outputIndex: 1,
      },
    ];
  };
  const terms = (shared: boolean, side: 'a' | 'b') => ({
    inAmount: 1_000_000n,
    quotedOutAmount: 1_000_000n,
    slippageBps: 50,
    platformFeeBps: 100,
    platformFeeAccount: world.strangers[side],
    platformFee: { bps: 100, account: world.strangers[side] },
    positiveSlippage: { bps: 100, account: world.strangers.b },
    steps: step(shared),
  });
  const third = world.newTokenAccount(world.mints.b, world.stranger);
  const accounts = world.accounts({ destinationTokenAccount: third });
  const shared = world.sharedAccounts({ token2022Program: TOKEN_2022_PROGRAM });
  for (const side of ['a', 'b'] as const) {
    const name = side === 'a' ? 'fee in the input' : 'fee in the output';
    yield [`route_v2, ${name}`, v2.routeV2(terms(false, side), accounts)];
    yield [`shared_accounts_route_v2, ${name}`, v2.sharedAccountsRouteV2(terms(true, side), shared)];
    yield [`route, ${name}`, v1.route(terms(false, side), accounts)];
    yield [`shared_accounts_route, ${name}`, v1.sharedAccountsRoute(terms(true, side), shared)];
    yield [`route_with_token_ledger, ${name}`, v1.routeWithTokenLedger(terms(false, side), accounts, ledger)];
    const withLedger = v1.sharedAccountsRouteWithTokenLedger(terms(true, side), shared, ledger);
    yield [`shared_accounts_route_with_token_ledger, ${name}`, withLedger];
  }
}

function* ledgersAndAccounts({ world, ledger }: CaseWorld): Iterable<readonly [string, Instruction]> {
  yield ['create_token_ledger', createTokenLedger(world.network.newAddress(), world.user)];
  yield ['set_token_ledger', setTokenLedger(ledger, world.users.c)];
  const { user } = world;
  const mint = world.mints.a;
  const seeds = [Buffer.from('token_account'), toAddressBytes(user), toAddressBytes(mint)];
  const { address: tokenAccount, bump } = findProgramAddress(AGGREGATOR_PROGRAM, seeds);
  const temporary = { tokenAccount, bump, user, mint, tokenProgram: TOKEN_PROGRAM };
  yield ['create_token_account', createTokenAccount(temporary)];
}

function* claims(world: RouteWorld): Iterable<readonly [string, Instruction]> {
  yield [
    'claim',
    {
      programAddress: AGGREGATOR_PROGRAM,
      accounts: [writable(FEE_WALLET), writable(world.authority), readonly(SYSTEM_PROGRAM)],
      data: Uint8Array.of(...DISCRIMINATOR.claim, AUTHORITY_ID),
    },
  ];
  const associated = deriveAssociatedTokenAddress(FEE_WALLET, world.mints.a, TOKEN_PROGRAM);
  yield ['claim_token into a new account', claimToken(world, associated)];
  yield ['claim_token', claimToken(world, world.newTokenAccount(world.mints.a, FEE_WALLET))];
}

function claimToken(world: RouteWorld, destination: Address): Instruction {
  const programs = [TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM];
  return {
    programAddress: AGGREGATOR_PROGRAM,
    accounts: [
      writableSigner(world.user),
      readonly(FEE_WALLET),
      readonly(world.authority),
      writable(world.programs.a),
      writable(destination),
      ...[world.mints.a, ...programs].map(readonly),
    ],
    data: Uint8Array.of(...DISCRIMINATOR.claimToken, AUTHORITY_ID),
  };
}
