/** The paths of an organisation's and of a team's resources. */
export const ORGANISATIONS = '/admin/v1/organisations';
export const TEAMS = `${ORGANISATIONS}/:organisation/teams`;
