import { AGGREGATOR_INTERFACE } from '../../market/aggregator/interface/interface.ts';
import type { ProtocolProgram, StandIn } from '../../protocol/genesis/stand-in.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { ProgramInterface } from '../../solana/programs/idl/idl.ts';

/** The aggregator calls the protocols, so it is none of them. */
const AGGREGATOR: StandIn = { name: 'aggregator', address: AGGREGATOR_PROGRAM };

/** Returns the programs that the protocols bring, in the order of the protocols. */
export function listPrograms(protocols: readonly Protocol[]): readonly ProtocolProgram[] {
  return protocols.flatMap((protocol) => protocol.programs ?? []);
}

/**
 * Returns the programs of a genesis with these protocols, without those that every Solana network has. Searches of the
 * network find the programs in this order.
 */
export function orderStandIns(protocols: readonly Protocol[]): readonly StandIn[] {
  const programs = listPrograms(protocols);
  return [
    ...programs.filter(({ loadsAfterAggregator }) => loadsAfterAggregator === undefined).map(toStandIn),
    AGGREGATOR,
    ...programs.filter(({ loadsAfterAggregator }) => loadsAfterAggregator === true).map(toStandIn),
  ];
}

/** Returns the interfaces of the programs that Anchor's clients find on the network. */
export function listInterfaces(protocols: readonly Protocol[]): readonly ProgramInterface[] {
  return [AGGREGATOR_INTERFACE, ...listPrograms(protocols).flatMap((program) => program.interface ?? [])];
}

function toStandIn({ name, address }: ProtocolProgram): StandIn {
  return { name, address };
}
