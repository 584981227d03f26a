import { describePlatform } from './platform-suite.ts';

describePlatform('two instances');
