import { describeFillFaults } from './rfq-faults-suite.ts';

describeFillFaults('embedded stores');
