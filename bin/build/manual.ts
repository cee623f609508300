import { writeManPages } from '../../src/cli/man-page.ts';

writeManPages('.', 'dist/man');
