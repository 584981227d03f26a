import { describePlatform } from './platform-suite.ts';

describePlatform('embedded stores');
