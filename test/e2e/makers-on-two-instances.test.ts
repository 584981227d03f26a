import { describeMakers } from './makers-suite.ts';

describeMakers('two instances');
