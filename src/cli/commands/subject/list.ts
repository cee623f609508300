import { subjects } from '../../../questions/subjects.ts';
import { questionCommand } from '../../question-command.ts';

export default questionCommand(subjects);
