import { writeManPages } from '../../src/cli/man-page.ts';

await writeManPages('.', 'dist/man');
