import { describeFillFaults } from './rfq-faults-suite.ts';

describeFillFaults('two instances');
