import { describeRfq } from './rfq-suite.ts';

describeRfq('embedded stores');
