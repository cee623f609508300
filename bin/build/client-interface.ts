import { writeClientInterface } from '../../src/server/client-interface.ts';

await writeClientInterface('src/client/interface.ts');
