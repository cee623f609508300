import { records } from '../../questions/record.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(records);
