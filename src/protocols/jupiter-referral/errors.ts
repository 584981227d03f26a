/** The error codes of the referral program from 6000, by its interface description. */
export const REFERRAL_ERRORS = ['InvalidCalculation', 'InvalidSharePercentage', 'NameTooLong'] as const;
