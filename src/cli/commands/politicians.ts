import { politician, politicians } from '../../questions/politicians.ts';
import { listOrOneCommand } from '../question-command.ts';

export default listOrOneCommand('list politicians, or show the profile of one', politicians, politician);
