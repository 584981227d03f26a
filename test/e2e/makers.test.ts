import { describeMakers } from './makers-suite.ts';

describeMakers('embedded stores');
