import { describeMakers } from './makers-suite.ts';

describeMakers('PostgreSQL and Valkey');
