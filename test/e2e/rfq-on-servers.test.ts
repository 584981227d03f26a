import { describeRfq } from './rfq-suite.ts';

describeRfq('PostgreSQL and Valkey');
