import type { Static } from 'typebox';
import { ACTIONS, may } from '../../../platform/accounts/roles.ts';
import { listTeamsOfMember } from '../../../platform/accounts/team-members.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import type { Principal } from '../access/access.ts';
import type { MeAnswer } from './member-schema.ts';

/** Describes who calls, and what they may do. */
export async function describeCaller(
  platform: Pick<PlatformDependencies, 'store'>,
  { who, standing, organisation, memberId }: Principal,
): Promise<Static<typeof MeAnswer>> {
  return {
    who,
    standing,
    organisation,
    teams: memberId === null ? [] : [...(await listTeamsOfMember(platform, memberId))],
    rights: ACTIONS.filter((action) => may(standing, action)),
  };
}
