import { describeRfq } from './rfq-suite.ts';

describeRfq('two instances');
