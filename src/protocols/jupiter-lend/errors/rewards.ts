/** Names of the errors of the reward rate model from code 6000 on, in order, as in its public interface description. */
export const REWARDS_ERRORS: readonly string[] = [
  'InvalidParams',
  'AlreadyStopped',
  'NextRewardsQueued',
  'NotEnded',
  'NoQueuedRewards',
  'MustTransitionToNext',
  'NoRewardsStarted',
  'MaxAuthCountReached',
  'OnlyAuthority',
  'OnlyAuths',
  'CpiToLendingProgramFailed',
  'InvalidLendingProgram',
  'InvalidMint',
];
